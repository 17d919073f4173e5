//! Marks as words, in the files in which they are refused. The marks come from the list, so this file has none.

use super::{IN_RUST, UNFINISHED, check};
use crate::tidy::findings_of;

#[test]
fn finished_work_passes() {
    assert!(findings_of(check, "src/a.rs", "//! Reads a todo list.\nfn should_work() {}\n").is_empty());
}

#[test]
fn every_mark_is_found_in_rust() {
    for (mark, advice) in UNFINISHED.iter().chain(IN_RUST) {
        let found = findings_of(check, "tests/a.rs", &format!("//! A.\n    {mark}(x)\n"));
        assert_eq!(found, [format!("tests/a.rs:2: `{mark}`: {advice}")]);
    }
}

#[test]
fn marks_of_rust_are_only_refused_in_rust() {
    for (mark, _) in IN_RUST {
        assert!(findings_of(check, "a.md", mark).is_empty(), "{mark}");
    }
    for (mark, _) in UNFINISHED {
        assert_eq!(findings_of(check, "a.md", mark).len(), 1, "{mark}");
    }
}

#[test]
fn a_part_of_a_word_and_recorded_data_pass() {
    for (mark, _) in UNFINISHED {
        assert!(findings_of(check, "src/a.rs", &format!("{mark}S and MY_{mark}")).is_empty(), "{mark}");
        assert!(findings_of(check, "tests/session.jsonl", mark).is_empty(), "{mark}");
    }
}
