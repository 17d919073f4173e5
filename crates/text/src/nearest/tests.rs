//! One rule for commands, settings and tools.

use super::{edit_distance, nearest_name, nearest_names};

#[test]
fn a_mistyped_command_is_recognized() {
    let commands = ["/undo", "/redo", "/context", "/compact", "/sessions"];
    for (typed, meant) in [
        ("/undoo", Some("/undo")),
        ("/unod", Some("/undo")),
        ("/contxt", Some("/context")),
        ("/comapct", Some("/compact")),
        ("/ses", Some("/sessions")),
        ("/Undo", Some("/undo")),
        ("/frobnicate", None),
        ("/x", None),
        ("", None),
    ] {
        assert_eq!(nearest_name(typed, commands), meant, "{typed}");
    }
}

#[test]
fn a_mistyped_setting_is_recognized() {
    let keys = ["model", "provider", "permissions.mode", "compact_percent"];
    for (typed, meant) in [
        ("modle", Some("model")),
        ("MODEL", Some("model")),
        ("compact_precent", Some("compact_percent")),
        ("provide", Some("provider")),
        ("threads", None),
        ("x", None),
    ] {
        assert_eq!(nearest_name(typed, keys), meant, "{typed}");
    }
    let long = format!("model{}", "x".repeat(100_000));
    assert_eq!(nearest_name(&long, keys), Some("model"), "only its start is compared");
}

#[test]
fn an_unknown_tool_gets_all_similar_names_the_closest_first() {
    let tools = ["read_file", "write_file", "grep"];
    assert_eq!(nearest_names("red_file", tools), ["read_file"]);
    assert_eq!(nearest_names("rite_file", tools), ["write_file", "read_file"]);
    assert_eq!(nearest_names("Grep", tools), ["grep"]);
    assert_eq!(nearest_names("file", tools), ["read_file", "write_file"]);
    assert!(nearest_names("browser", tools).is_empty());
    assert!(nearest_names("", tools).is_empty());
}

#[test]
fn slips_are_counted() {
    for (from, to, slips) in [
        ("kitten", "sitting", 3),
        ("", "abc", 3),
        ("abc", "", 3),
        ("same", "same", 0),
        ("unod", "undo", 1),
        ("ab", "ba", 1),
        ("ca", "abc", 3),
        ("größe", "grösse", 2),
    ] {
        assert_eq!((edit_distance(from, to), edit_distance(to, from)), (slips, slips), "{from} {to}");
    }
}
