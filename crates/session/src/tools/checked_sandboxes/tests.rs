//! Tests of what is remembered of checked sandboxes.

use std::fs;

use throughline_conversation::Millis;

use super::{CheckedSandboxes, ENTRIES, FILE, VALID};

const NOW: Millis = Millis(10 * VALID);

fn later(millis: i64) -> Millis {
    Millis(NOW.0 + millis)
}

#[test]
fn a_sandbox_is_remembered_for_a_day_under_exactly_its_conditions() {
    let data = tempfile::tempdir().unwrap();
    let checked = CheckedSandboxes::in_folder(data.path());
    assert!(!checked.has("boot 1", NOW));
    checked.add("boot 1", NOW);
    // Another process reads it.
    let checked = CheckedSandboxes::in_folder(data.path());
    assert!(checked.has("boot 1", NOW) && checked.has("boot 1", later(VALID - 1)));
    assert!(!checked.has("boot 2", NOW), "another boot");
    assert!(!checked.has("boot 1", later(VALID)), "a day later");
    assert!(!checked.has("boot 1", Millis(NOW.0 - 1)), "before it was looked at");
}

#[test]
fn a_second_look_counts_from_then_and_old_entries_leave() {
    let data = tempfile::tempdir().unwrap();
    let checked = CheckedSandboxes::in_folder(data.path());
    checked.add("a", NOW);
    checked.add("b", later(1));
    checked.add("a", later(VALID / 2));
    assert!(checked.has("a", later(VALID)) && !checked.has("b", later(VALID + 1)));
    for number in 0..ENTRIES {
        checked.add(&format!("sandbox {number}"), later(VALID / 2 + 1));
    }
    assert!(!checked.has("a", later(VALID / 2 + 1)) && checked.has("sandbox 0", later(VALID / 2 + 1)));
}

#[test]
fn a_damaged_file_is_no_entry_and_is_replaced() {
    let data = tempfile::tempdir().unwrap();
    let checked = CheckedSandboxes::in_folder(data.path());
    for damage in ["\u{0}\u{1}\n", "x y\nz\n\n", "99999999999999999999999 a\n"] {
        fs::write(data.path().join(FILE), damage).unwrap();
        assert!(!checked.has("a", NOW), "{damage:?}");
        checked.add("a", NOW);
        assert!(checked.has("a", NOW), "{damage:?}");
    }
}
