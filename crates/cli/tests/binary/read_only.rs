//! A data folder that cannot be written, such as a backup: it is read, and runs are refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rusqlite::Connection;
use tempfile::TempDir;

use crate::place::KEY;
use crate::program::throughline;
use crate::ran::{Ran, assert_says, run};
use crate::sample::sample;

/// A data folder whose files cannot be written until it is dropped.
struct Backup(TempDir);

impl Backup {
    /// Files copied from the sample's data folder.
    fn of(files: &[PathBuf]) -> Self {
        let folder = TempDir::new().unwrap();
        for file in files {
            fs::copy(file, folder.path().join(file.file_name().unwrap())).unwrap();
        }
        let backup = Self(folder);
        backup.protect(true);
        backup
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(self.folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    fn protect(&self, on: bool) {
        let (file, folder) = if on { (0o400, 0o500) } else { (0o600, 0o700) };
        for path in self.files() {
            fs::set_permissions(path, Permissions::from_mode(file)).unwrap();
        }
        fs::set_permissions(self.folder(), Permissions::from_mode(folder)).unwrap();
    }

    /// Runs a command without the right of root to write every file.
    fn run(&self, arguments: &[&str]) -> Ran {
        let command = throughline(self.folder());
        let mut bound = Command::new("setpriv");
        bound.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        bound.env("ANTHROPIC_API_KEY", KEY);
        bound.args(["--bounding-set=-all", "--inh-caps=-all"]).arg(command.get_program());
        run(bound.args(command.get_args()).args(arguments))
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        self.protect(false);
    }
}

/// Returns false, and says so, if rights cannot be dropped here.
fn can_drop_rights() -> bool {
    let mut command = Command::new("setpriv");
    command.args(["--bounding-set=-all", "--inh-caps=-all", "true"]).stderr(Stdio::null());
    let can = command.status().is_ok_and(|ended| ended.success());
    if !can {
        println!("skipped: `setpriv` is missing or fails");
    }
    can
}

/// Commands that only read, as far as their output does not depend on the time.
fn reads(session: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["sessions", "--json"],
        vec!["context", session],
        vec!["messages", "list", session, "--json"],
        vec!["messages", "show", session, "1", "--json"],
        vec!["export", session],
        vec!["export", session, "--text"],
        vec!["show", session],
        vec!["state", session],
        vec!["memos", "--all"],
    ]
}

#[test]
fn a_backup_that_cannot_be_written_is_read() {
    if !can_drop_rights() {
        return;
    }
    let (sample, original) = (sample(), sample().copy());
    let backup = Backup::of(std::slice::from_ref(&original.database));
    for command in reads(&sample.id) {
        assert_eq!(backup.run(&command).done(), original.run(&command).done(), "{command:?}");
    }
    assert_says(&backup.run(&["handoff", &sample.id]).done(), &["Handoff of session", &sample.id]);
    assert_eq!(backup.files(), [backup.folder().join("throughline.db")], "nothing is created next to it");
}

#[test]
fn what_would_write_to_a_backup_is_refused() {
    if !can_drop_rights() {
        return;
    }
    let backup = Backup::of(&[sample().data.join("throughline.db")]);
    let before = fs::read(backup.folder().join("throughline.db")).unwrap();
    let place = backup.folder().display().to_string();
    let runs: [&[&str]; 3] = [&["run", "Go."], &["run", "-c", "Go."], &["undo", &sample().id]];
    let others: [&[&str]; 2] = [&["sessions", "delete", &sample().id, "--yes"], &["memos", "add", "A note."]];
    for command in runs.into_iter().chain(others) {
        let refused = backup.run(command);
        assert_ne!(refused.code, Some(0), "{command:?}: {refused:?}");
        assert_says(&refused.err, &[&place, "writable"]);
    }
    assert_eq!(fs::read(backup.folder().join("throughline.db")).unwrap(), before);
    assert_eq!(backup.files().len(), 1);
}

/// A copy of a database that was made while a program had it open: the newest record is in the write-ahead log.
#[test]
fn a_backup_of_an_open_database_shows_its_newest_records() {
    if !can_drop_rights() {
        return;
    }
    let original = sample().copy();
    let open = Connection::open(&original.database).unwrap();
    open.execute_batch("PRAGMA journal_mode = WAL; UPDATE sessions SET title = 'Still in the log';").unwrap();
    let log = original.data().join("throughline.db-wal");
    let backup = Backup::of(&[original.database.clone(), log.clone()]);
    let listed = backup.run(&["sessions", "--json"]).json();
    assert_eq!(listed[0]["title"], "Still in the log");
    assert_eq!(backup.files().len(), 2, "nothing is created next to it");
    // With the index of the log next to it, it is read in place.
    let index = original.data().join("throughline.db-shm");
    let backup = Backup::of(&[original.database.clone(), log, index]);
    assert_eq!(backup.run(&["sessions", "--json"]).json()[0]["title"], "Still in the log");
}

/// Reverts the last changes of the tables.
const EARLIER: &str =
    "DROP TABLE user_tokens; DROP TABLE session_owners; DROP TABLE session_parents; DROP TABLE audit_log; DROP TRIGGER result_object_deleted; DROP INDEX tool_result_blobs_by_object; DROP TABLE loose_objects;
    ALTER TABLE tool_result_blobs DROP COLUMN object;
    DROP TABLE session_contexts; DROP TABLE encryption; DROP TRIGGER log_appended; DROP TRIGGER sessions_created; DROP INDEX sessions_by_writing;
    ALTER TABLE sessions DROP COLUMN written; ALTER TABLE sessions DROP COLUMN last_check;
    ALTER TABLE sessions DROP COLUMN last_seq; PRAGMA user_version = 3;";

#[test]
fn a_backup_of_an_earlier_version_is_read() {
    if !can_drop_rights() {
        return;
    }
    let original = sample().copy();
    Connection::open(&original.database).unwrap().execute_batch(EARLIER).unwrap();
    let backup = Backup::of(std::slice::from_ref(&original.database));
    assert_eq!(backup.run(&["export", &sample().id]).done(), sample().export());
    assert_says(&backup.run(&["undo", &sample().id]).err, &["writable"]);
}
