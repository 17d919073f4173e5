//! What a power failure may take: system calls of a run show when its records reach the disk.

#[path = "durable/disk.rs"]
mod disk;

use std::collections::{HashMap, HashSet};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::program::throughline;
use crate::ran::run;

use disk::{Call, Disk};

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
    let (text, said) = traced(durability, &["-s", "300", "-e", "trace=fsync,fdatasync,pwrite64,write"])?;
    let said = said.matches("\"acknowledged\"").count();
    let trace = Trace::of(&text);
    assert!(said >= 3 && trace.acknowledged == said, "{said} of {trace:?}");
    Some(trace)
}

/// The output of `strace` with these options for a run with this durability, and what the run printed. `None`: `strace`
/// cannot be used here.
fn traced(durability: &str, options: &[&str]) -> Option<(String, String)> {
    let place = Place::new();
    let script = Script::new()
        .then(Answer::call("call_1", "read_file", json!({"path": "a.txt"})))
        .then(Answer::call("call_2", "read_file", json!({"path": "a.txt"})))
        .then(Answer::text("Done."));
    let server = serve(script);
    let asked = place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["-o", "stream-json", "Read it."]);
    let file = place.folder.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-y"]).args(options).arg("-o");
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
    Some((std::fs::read_to_string(file).unwrap(), ran.out))
}

/// The newest record that each power failure would have left, where one comes right after each acknowledgement: with the
/// record that was acknowledged. `None`: `strace` cannot be used here.
fn survived(durability: &str) -> Option<Vec<(u64, u64)>> {
    let calls = "trace=fsync,fdatasync,pwrite64,write,ftruncate,unlink,unlinkat";
    let (trace, _) = traced(durability, &["-xx", "-s", "1000000", "-e", calls])?;
    let (mut disk, mut open, mut found) = (Disk::default(), HashMap::new(), Vec::new());
    for line in trace.lines() {
        let (thread, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        if let Some(begun) = call.strip_suffix(" <unfinished ...>") {
            open.insert(thread, begun);
            continue;
        }
        let resumed = call.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>"));
        let whole = match resumed {
            Some((_, end)) => format!("{}{end}", open.remove(thread).unwrap_or_default()),
            None => call.to_owned(),
        };
        // strace fills up lines with spaces before the result.
        let whole = whole.rsplit_once(" = ").map(|(call, result)| format!("{} = {result}", call.trim_end()));
        let Some(call) = whole.as_deref().and_then(Call::parse) else { continue };
        if let Call::Say { bytes } = &call {
            let lines = String::from_utf8_lossy(bytes).into_owned();
            let events = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            for event in events.filter(|event| event["type"] == "acknowledged") {
                found.push((event["seq"].as_u64().unwrap(), newest_after_failure(&disk)));
            }
        }
        disk.take(call);
    }
    Some(found)
}

/// The newest record of the only session after a power failure now; 0: none.
fn newest_after_failure(disk: &Disk) -> u64 {
    let folder = TempDir::new().unwrap();
    disk.fail("throughline.db", folder.path());
    let ran = run(throughline(folder.path()).args(["export", "last"]));
    ran.out
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok()?["seq"].as_u64())
        .max()
        .unwrap_or_default()
}

#[test]
fn with_full_durability_a_power_failure_takes_no_acknowledged_record() {
    let Some(found) = survived("full") else { return };
    assert!(found.len() >= 3 && found.iter().all(|(said, left)| left >= said), "{found:?}");
}

#[test]
fn by_default_a_power_failure_may_take_acknowledged_records() {
    let Some(found) = survived("normal") else { return };
    assert!(found.len() >= 3 && found.iter().any(|(said, left)| left < said), "{found:?}");
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
