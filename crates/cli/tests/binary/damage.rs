//! Damaged and foreign databases: reported in one line that names the file and what helps, never passed over, never
//! written to.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use rusqlite::Connection;

use crate::ran::{Ran, assert_says};
use crate::sample::{Copy, sample};

const COMMANDS: [&[&str]; 5] = [
    &["sessions"],
    &["context", "last"],
    &["show", "last"],
    &["export", "last"],
    &["demo", "--worker-session", "new", "--workspace", "/"],
];

/// Every command refuses the database and leaves it unchanged.
#[track_caller]
fn check_refused(copy: &Copy, says: &[&str]) {
    let before = fs::read(&copy.database).unwrap();
    for command in COMMANDS {
        let line = copy.run(command).failed();
        assert_says(&line, &[&copy.database.display().to_string()]);
        assert_says(&line, says);
        assert!(fs::read(&copy.database).unwrap() == before, "the file has changed: {command:?}");
    }
}

#[test]
fn a_file_that_is_no_database() {
    let copy = sample().copy();
    let noise: Vec<u8> =
        (0..20_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for content in
        [noise.as_slice(), b"just text, longer than a header of a database. ".repeat(40).as_slice()]
    {
        fs::write(&copy.database, content).unwrap();
        check_refused(&copy, &["is not a database; move it away and a new one is made"]);
    }
}

#[test]
fn a_database_that_was_cut_off() {
    let size = fs::metadata(sample().copy().database).unwrap().len();
    for left in [15, 99, 512, 4_095, 4_096, 5_000, size / 2, size - 4_096] {
        let copy = sample().copy();
        OpenOptions::new().write(true).open(&copy.database).unwrap().set_len(left).unwrap();
        let damaged = copy.run(&["sessions"]).failed();
        assert!(damaged.contains("recover --all"), "{left} of {size} bytes: {damaged}");
        check_refused(&copy, &["throughline recover --all"]);
    }
}

#[test]
fn a_database_of_a_newer_version() {
    let copy = sample().copy();
    pragma(&copy.database, "user_version = 999999");
    check_refused(&copy, &["was made by a newer version", "999999", "install that one"]);
}

#[test]
fn a_database_of_another_program() {
    let copy = sample().copy();
    pragma(&copy.database, "application_id = 7");
    check_refused(&copy, &["is a database of another program; name another data folder"]);

    fs::remove_file(&copy.database).unwrap();
    let theirs = "PRAGMA journal_mode = wal; CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)";
    Connection::open(&copy.database).unwrap().execute_batch(theirs).unwrap();
    check_refused(&copy, &["is a database of another program; name another data folder"]);
}

fn pragma(database: &Path, text: &str) {
    Connection::open(database).unwrap().execute_batch(&format!("PRAGMA {text}")).unwrap();
}

#[test]
fn every_page_that_is_overwritten_is_noticed_or_not_needed() {
    let expected = sample().export();
    let size = fs::metadata(&sample().copy().database).unwrap().len();
    let page = 4_096;
    let (mut noticed, mut unneeded) = (0, 0);
    for number in 0..size / page {
        for fill in [0x00, 0xa5] {
            let copy = sample().copy();
            overwrite(&copy.database, number * page, &[fill; 4_096]);
            match export(&copy, &expected, &format!("page {number} filled with {fill:#x}")) {
                true => noticed += 1,
                false => unneeded += 1,
            }
        }
    }
    // The last page, short of some bytes: SQLite reads zeros in their place.
    for missing in [1, 100, 4_095] {
        let copy = sample().copy();
        OpenOptions::new().write(true).open(&copy.database).unwrap().set_len(size - missing).unwrap();
        export(&copy, &expected, &format!("{missing} bytes are missing at the end"));
    }
    // Both kinds are there: pages of the log, and pages of stored results, which an export does not read.
    assert!(noticed > 10 && unneeded > 10, "{noticed} {unneeded}");
}

#[test]
fn a_changed_record_is_noticed() {
    let database = |copy: &Copy| Connection::open(&copy.database).unwrap();
    let changes = [
        "UPDATE log SET payload = replace(payload, 'invoices', 'invoyces') WHERE seq = 3",
        "UPDATE log SET payload = '{' WHERE seq = 5",
        "UPDATE log SET payload = '' WHERE seq = 5",
        "UPDATE log SET digest = digest + 1 WHERE seq = 7",
        "UPDATE log SET kind = 'nonsense' WHERE seq = 4",
        "UPDATE log SET kind = 'edit' WHERE seq = 4",
        "UPDATE log SET exchange = -1 WHERE seq = 4",
        "DELETE FROM log WHERE seq = 9",
        "DELETE FROM log WHERE seq = 1",
        "UPDATE log SET seq = 100000 WHERE seq = 9",
    ];
    let lines = sample().export().lines().count();
    for change in changes {
        let copy = sample().copy();
        assert_eq!(database(&copy).execute(change, []).unwrap(), 1, "{change}");
        for command in [
            &["export", "last"][..],
            &["export", "last", "--text"],
            &["messages", "list", "last"],
            &["handoff", "last"],
        ] {
            let Ran { code, out, err } = copy.run(command);
            assert_eq!(code, Some(1), "{change}: {command:?} does not notice it: {err}");
            assert!(out.len() > 100, "{change}: {command:?} shows nothing: {err}");
            let says = Ran { code, out, err }.failed();
            assert_says(&says, &["is lost: ", &format!("recover {}", sample().id)]);
        }
        let export = copy.run(&["export", "last"]);
        let damaged = export.out.lines().filter(|line| line.contains(r#""damaged":"#)).count();
        assert_eq!((export.out.lines().count(), damaged), (lines, 1), "{change}");
        // The list of sessions is not taken hostage by one of them.
        assert_says(&copy.run(&["sessions"]).done(), &[&sample().id]);
    }
}

/// Returns true if the damage was reported. Then every other line is unchanged; otherwise the whole export is.
#[track_caller]
fn export(copy: &Copy, expected: &str, what: &str) -> bool {
    let Ran { code, out, err } = copy.run(&["export", &sample().id]);
    if code == Some(0) {
        assert!(out == expected && err.is_empty(), "{what}: passed over");
        return false;
    }
    let lost = |line: &&str| line.contains(r#""damaged":"#);
    assert!(out.lines().all(|line| lost(&line) || expected.contains(line)), "{what}: a wrong record");
    let named = out.lines().filter(lost).count();
    let line = Ran { code, out: out.clone(), err }.failed();
    if line.contains("its contexts are lost: ") {
        // They follow the records.
        let contexts = out.lines().last().unwrap();
        assert!(contexts.starts_with(r#"{"context":"#), "{what}: {contexts}");
        assert_eq!(out.strip_suffix(&format!("{contexts}\n")), Some(expected), "{what}");
    } else if out.is_empty() {
        assert_says(&line, &[&copy.database.display().to_string()]);
    } else {
        assert_eq!(out.lines().count(), expected.lines().count(), "{what}: records are left out");
        assert!(named > 0, "{what}");
        assert_says(&line, &["lost: ", "recover"]);
    }
    true
}

fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_recovery_of_a_sound_database_finds_no_damage() {
    let copy = sample().copy();
    let before = fs::read(&copy.database).unwrap();
    assert_says(&copy.run(&["recover", "--all"]).done(), &["No damage was found. ", "recovered-1"]);
    let said = copy.run(&["recover", "--all", "--json"]).done();
    let object: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(object["damaged"], false, "{said}");
    assert!(fs::read(&copy.database).unwrap() == before, "the file has changed");
}
