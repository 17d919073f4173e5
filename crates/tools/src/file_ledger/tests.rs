//! Tests of the file ledger.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::{Diff, FileLedger, Freshness, MAX_TEXTS};

#[test]
fn freshness_depends_on_the_content() {
    let ledger = FileLedger::default();
    let path = Path::new("/w/a");
    assert_eq!(ledger.freshness(path, None, b"one"), Freshness::Unread);
    ledger.note(path, b"one\ntwo\n");
    assert_eq!(
        ledger.clone().freshness(path, None, b"one\ntwo\n"),
        Freshness::Fresh,
        "clones share the ledger"
    );
    let Freshness::Changed(Diff::Whole(diff)) = ledger.freshness(path, None, b"one\n2\n") else {
        panic!("changed")
    };
    assert_eq!(diff, "@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    ledger.note(path, b"\xff\xfe");
    assert_eq!(ledger.freshness(path, None, b"x"), Freshness::Changed(Diff::Unknown), "no text is stored");
}

#[test]
fn a_file_of_an_earlier_run_is_recognised_by_its_modification_time() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("a");
    let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    std::fs::write(&path, "one").unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(at(100)).unwrap();
    let metadata = path.metadata().unwrap();
    for (seen, expected) in
        [(99, Freshness::Changed(Diff::Unknown)), (100, Freshness::Fresh), (101, Freshness::Fresh)]
    {
        let ledger = FileLedger::default();
        ledger.note_earlier(&path, at(seen));
        assert_eq!(ledger.freshness(&path, metadata.modified().ok(), b"one"), expected, "{seen}");
        assert_eq!(ledger.freshness_large(&path, &metadata), expected, "{seen}");
        ledger.note(&path, b"one");
        ledger.note_earlier(&path, at(99));
        assert_eq!(ledger.freshness(&path, None, b"one"), Freshness::Fresh, "the newer entry wins");
    }
}

#[test]
fn a_long_diff_is_truncated_at_a_line() {
    let ledger = FileLedger::default();
    let path = Path::new("/w/a");
    let text = |word: &str| (0..5_000).map(|n| format!("{word} {n}\n")).collect::<String>();
    ledger.note(path, text("old").as_bytes());
    let Freshness::Changed(Diff::Part(diff)) = ledger.freshness(path, None, text("new").as_bytes()) else {
        panic!("it is too long to be shown whole")
    };
    assert!(diff.len() <= 6 * 1024 && diff.lines().last().unwrap().starts_with("-old "), "{}", diff.len());
}

#[test]
fn stored_texts_are_limited_and_the_least_recently_used_is_dropped() {
    let ledger = FileLedger::default();
    let text = "x".repeat(super::MAX_TEXT);
    let paths: Vec<_> = (0..MAX_TEXTS / text.len() + 1).map(|n| format!("/w/{n}")).collect();
    for path in &paths {
        ledger.note(Path::new(path), text.as_bytes());
        // The first one stays in use.
        ledger.freshness(Path::new("/w/0"), None, text.as_bytes());
    }
    assert!(ledger.files().text_bytes <= MAX_TEXTS);
    let changed = |path: &str| ledger.freshness(Path::new(path), None, b"y");
    assert!(matches!(changed("/w/0"), Freshness::Changed(Diff::Whole(_) | Diff::Part(_))));
    assert_eq!(changed("/w/1"), Freshness::Changed(Diff::Unknown), "its text is dropped, its hash is not");
}
