//! What a power failure may take: system calls of a run show when its records reach the disk.

use std::collections::HashSet;
use std::process::Command;

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::run;

/// The records that a run called stored, and the times that its write-ahead log was flushed to the disk.
#[derive(Debug, Default)]
struct Trace {
    acknowledged: usize,
    flushed: usize,
    /// An acknowledgement came before its flush.
    early: bool,
}

impl Trace {
    /// Reads the output of `strace -f -y`.
    fn of(text: &str) -> Self {
        let mut trace = Self::default();
        let mut flushing = HashSet::new();
        let mut written = false;
        for line in text.lines() {
            let (thread, call) = line.split_once(' ').unwrap();
            let call = call.trim_start();
            let (wal, begins) = (call.contains(".db-wal>"), call.ends_with("<unfinished ...>"));
            let flush = call.starts_with("fsync(") || call.starts_with("fdatasync(");
            written |= wal && call.starts_with("pwrite64(");
            if flush && wal && begins {
                flushing.insert(thread);
            }
            let resumed = call.starts_with("<... f") && flushing.remove(thread);
            if written && (resumed || (flush && wal && !begins)) {
                trace.flushed += 1;
                written = false;
            }
            if call.starts_with("write(1<") {
                trace.acknowledged += call.matches("\\\"acknowledged\\\"").count();
                trace.early |= trace.flushed < trace.acknowledged;
            }
        }
        trace
    }
}

/// The trace of a run with this durability; `None`: `strace` cannot be used here.
fn trace(durability: &str) -> Option<Trace> {
    let place = Place::new();
    let script = Script::new()
        .then(Answer::call("call_1", "read_file", json!({"path": "a.txt"})))
        .then(Answer::call("call_2", "read_file", json!({"path": "a.txt"})))
        .then(Answer::text("Done."));
    let server = serve(script);
    let asked = place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["-o", "stream-json", "Read it."]);
    let file = place.folder.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-y", "-s", "300", "-e", "trace=fsync,fdatasync,pwrite64,write", "-o"]);
    command.arg(&file).arg(asked.get_program()).args(asked.get_args()).current_dir(place.work()).env_clear();
    for (name, value) in asked.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.env("THROUGHLINE_STORAGE_DURABILITY", durability);
    if !Command::new("strace").args(["-o", "/dev/null", "true"]).status().is_ok_and(|ended| ended.success()) {
        println!("skipped: `strace` is missing or may not trace");
        return None;
    }
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let said = ran.out.matches("\"acknowledged\"").count();
    let trace = Trace::of(&std::fs::read_to_string(file).unwrap());
    assert!(said >= 3 && trace.acknowledged == said, "{said} of {trace:?}");
    Some(trace)
}

#[test]
fn with_full_durability_every_acknowledged_record_has_reached_the_disk() {
    if let Some(full) = trace("full") {
        assert!(!full.early, "{full:?}");
    }
}

#[test]
fn by_default_a_run_does_not_wait_for_the_disk() {
    if let Some(normal) = trace("normal") {
        assert!(normal.flushed < normal.acknowledged, "{normal:?}");
    }
}
