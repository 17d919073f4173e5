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

#[test]
fn uses_and_age_count_as_their_roots_and_bytes_unchanged() {
    let new = NameUse { messages: 1, calls: 0, places: 3, last: 100 };
    for (used, now, name, expected) in [
        (new, 100, "parse_line", (8.0_f64 / 30.0).sqrt() / 11.0),
        (USED, 100, "parse_line", (72.0_f64 / 40.0).sqrt() / 11.0),
        (USED, 120, "parse_lines_of", (72.0_f64 / 60.0).sqrt() / 15.0),
    ] {
        assert!((used.worth(now, name) - expected).abs() < 1e-12, "{used:?}, {now}, {name}");
    }
}

#[test]
fn the_form_of_a_name_is_read_from_its_marks() {
    let form = |name: &str| worth(name) * (name.len() + 1) as f64 / (72.0_f64 / 40.0).sqrt();
    for (name, expected) in [
        ("parse_line", 1.0),
        ("log.rs", 1.0),
        ("src/log.rs", 1.0),
        ("a.b", 1.0),
        ("view.abcde", 1.0),
        ("view.abcdef", 0.15),
        ("view.Rs", 0.15),
        ("src/view.abcdef", 0.5),
        ("--src/log.rs", 0.15),
        ("std::fs", 0.15),
        ("src/fs::c", 0.5),
        ("abcde12345", 0.5),
        ("abcde1234x", 1.0),
        ("a_1", 1.0),
        ("src/12345678", 0.5),
    ] {
        assert!((form(name) - expected).abs() < 1e-9, "{name}: {}", form(name));
    }
}
