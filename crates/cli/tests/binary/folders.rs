//! Data folders that cannot be used.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::program::throughline;
use crate::ran::{assert_says, run};

const COMMANDS: [&[&str]; 4] = [&["sessions"], &["context", "last"], &["show", "last"], &["export", "last"]];

/// Every command says in one line that the folder is of no use, once, and what helps.
#[track_caller]
fn check_unusable(data: &Path, says: &str) {
    for command in COMMANDS {
        let line = run(throughline(data).args(command)).failed();
        assert_says(&line, &[&data.display().to_string(), says]);
        assert_eq!(line.matches("(os error").count(), 1, "the cause is reported once: {line}");
    }
}

const REMEDY: &str = "make it writable or name another folder";

#[test]
fn a_file_where_the_folder_should_be() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    check_unusable(&file, REMEDY);
    check_unusable(&file.join("deeper/still"), REMEDY);
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn a_place_where_nothing_can_be_made() {
    check_unusable(Path::new("/proc/throughline"), REMEDY);
    check_unusable(Path::new("/dev/null"), REMEDY);
}

#[test]
fn a_file_where_the_locks_should_be() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("locks"), "mine").unwrap();
    check_unusable(folder.path(), REMEDY);
    assert_eq!(fs::read(folder.path().join("locks")).unwrap(), b"mine");
}

#[test]
fn a_folder_where_the_database_should_be() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("throughline.db")).unwrap();
    check_unusable(folder.path(), REMEDY);
}

#[test]
fn the_demo_says_the_same() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    let mut demo = throughline(&file);
    demo.args(["demo", "--workspace"]).arg(folder.path().join("project"));
    assert_says(&run(&mut demo).failed(), &[&file.display().to_string(), REMEDY]);
}

#[test]
fn a_lock_file_that_cannot_be_used() {
    let folder = TempDir::new().unwrap();
    let (data, project) = (folder.path().join("data"), folder.path().join("project"));
    fs::create_dir_all(data.join("locks/one.lock")).unwrap();
    fs::create_dir(&project).unwrap();
    let says = run(&mut crate::worker::worker(&data, &project, "one", 0)).failed();
    assert_says(&says, &["locks/one.lock", "make its folder writable or name another data folder"]);
}

#[test]
fn without_a_home_it_asks_for_one() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
    command.arg("sessions").env_remove("HOME").env_remove("XDG_DATA_HOME");
    assert_says(&run(&mut command).failed(), &["set HOME or XDG_DATA_HOME, or name a folder"]);
    // A relative XDG_DATA_HOME is ignored, as the XDG Base Directory Specification asks.
    command.env("XDG_DATA_HOME", "relative");
    assert_says(&run(&mut command).failed(), &["set HOME or XDG_DATA_HOME"]);
}

#[test]
fn a_path_that_is_no_text_is_an_error_or_works() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join(OsStr::from_bytes(b"nol\xffext"));
    let ran = run(throughline(&data).arg("sessions"));
    if ran.code == Some(0) {
        assert_says(&ran.done(), &["No sessions yet."]);
    } else {
        assert_says(&ran.failed(), &["UTF-8"]);
    }
}

#[test]
fn odd_but_good_folders_work() {
    let folder = TempDir::new().unwrap();
    for name in
        ["a b", "ä?x=1&mode=ro#y", "per%20cent", "semi;colon 'quote\"", "line\nbreak", "deep/er/still"]
    {
        let data = folder.path().join(name);
        assert_says(&run(throughline(&data).arg("sessions")).done(), &["No sessions yet."]);
        assert!(data.join("throughline.db").is_file(), "{name}");
    }
    let mut relative = Command::new(env!("CARGO_BIN_EXE_throughline"));
    relative.current_dir(folder.path()).args(["--data-dir", "near", "sessions"]);
    assert_says(&run(&mut relative).done(), &["No sessions yet."]);
    assert!(folder.path().join("near/throughline.db").is_file());
}
