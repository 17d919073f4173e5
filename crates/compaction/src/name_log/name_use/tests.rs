//! The worth of a name.

use super::NameUse;

const USED: NameUse = NameUse { messages: 3, calls: 1, places: 8, last: 90 };

fn worth(name: &str) -> f64 {
    USED.worth(100, name)
}

#[test]
fn more_places_and_a_later_one_are_worth_more() {
    let own = worth("parse_line");
    assert!(NameUse { places: 9, ..USED }.worth(100, "parse_line") > own);
    assert!(NameUse { messages: 4, ..USED }.worth(100, "parse_line") > own);
    assert!(NameUse { calls: 2, ..USED }.worth(100, "parse_line") > own);
    assert!(NameUse { last: 89, ..USED }.worth(100, "parse_line") < own);
    assert!(worth("parse_lines") < own, "a longer name takes more of the index");
}

#[test]
fn forms_that_calls_hardly_use_again_are_worth_less() {
    let file = worth("src/log.rs");
    for name in ["std::fs::c", "self.Count", "--manifest"] {
        assert_eq!(name.len(), "src/log.rs".len());
        assert!(worth(name) < file / 5.0, "{name}");
    }
    for name in ["src/engine", "2026112512"] {
        assert!(worth(name) < file && worth(name) > file / 5.0, "{name}");
    }
}
