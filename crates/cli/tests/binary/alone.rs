//! One writer for each session, readers at any time, and files for their owner alone.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::program::throughline;
use crate::ran::{Ran, assert_says, run};
use crate::worker::{Running, worker};

/// So slow that it is still at work when the test ends.
const SLOW: u64 = 2_000;

#[derive(Debug)]
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    fn worker(&self, session: &str, pace: u64) -> Command {
        let project = self.folder.path().join(session);
        fs::create_dir_all(&project).unwrap();
        worker(&self.data(), &project, session, pace)
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        run(throughline(&self.data()).args(arguments))
    }
}

#[test]
fn a_second_process_on_a_session_is_refused_with_the_owner() {
    let place = Place::new();
    let mut first = Running::start(&mut place.worker("one", SLOW));
    first.next_ack();
    let says = run(&mut place.worker("one", 0)).failed();
    let pid = format!("process {}", first.pid());
    assert_says(
        &says,
        &["session one is open in another process", "throughline", &pid, "close it there first"],
    );

    // Another session is free.
    Running::start(&mut place.worker("two", SLOW)).next_ack();

    // The lock goes with its process, however that ends.
    first.kill();
    let out = run(&mut place.worker("one", 0)).done();
    assert_says(&out, &["@ack "]);
}

#[test]
fn a_session_can_be_looked_at_while_it_runs() {
    let place = Place::new();
    let mut running = Running::start(&mut place.worker("live", 20));
    let mut before = String::new();
    for _ in 0..8 {
        let acked = running.next_ack();
        let log = place.run(&["export", "live"]).done();
        assert!(log.lines().count() as u64 >= acked, "record {acked} was acknowledged");
        assert!(log.starts_with(&before) && log.ends_with('\n'));
        before = log;
        assert_says(&place.run(&["sessions"]).done(), &["live"]);
    }
    place.run(&["context", "live"]).done();
    place.run(&["show", "live"]).json();
    running.next_ack();
}

#[test]
fn everything_is_for_its_owner_alone_whatever_the_umask_is() {
    let place = Place::new();
    let export = place.folder.path().join("log.jsonl");
    let mut running = Running::start(&mut open_handed(&place.worker("private", SLOW)));
    running.next_ack();
    running.next_ack();
    run(&mut open_handed(throughline(&place.data()).args(["export", "private", "-o"]).arg(&export))).done();
    assert_eq!(mode(&export), 0o600);
    let mut found = Vec::new();
    check_modes(&place.data(), &mut found);
    found.sort();
    assert_eq!(found, ["private.lock", "throughline.db", "throughline.db-shm", "throughline.db-wal"]);
}

/// The same command in a shell whose umask takes nothing away.
fn open_handed(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"umask 000; exec "$0" "$@""#]).arg(command.get_program()).args(command.get_args());
    shell.stdin(Stdio::null());
    shell
}

fn check_modes(folder: &Path, files: &mut Vec<String>) {
    assert_eq!(mode(folder), 0o700, "{}", folder.display());
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            check_modes(&entry.path(), files);
        } else {
            assert_eq!(mode(&entry.path()), 0o600, "{}", entry.path().display());
            files.push(entry.file_name().into_string().unwrap());
        }
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_database_that_others_could_read_is_closed_to_them() {
    let copy = crate::sample::sample().copy();
    fs::set_permissions(&copy.database, fs::Permissions::from_mode(0o666)).unwrap();
    copy.run(&["sessions"]).done();
    assert_eq!(mode(&copy.database), 0o600);
}
