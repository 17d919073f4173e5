//! What need not be listed once more.

use super::*;
use crate::testing::with_summaries;

#[test]
fn a_value_is_visible_in_its_message_or_with_its_key_in_a_summary() {
    let view = with_summaries("user: old_size = 12\nuser: port=5413\nassistant: yes\nuser: on", &[0]);
    let entries: Vec<&Entry> = view.entries().iter().filter(|entry| entry.span.first != Seq(3)).collect();
    let written = ["owner=kim_b".to_owned()];
    let visible = Visible::of(&entries, &written);
    for (key, value, at, expected) in [
        ("port", "5413", 2, true),
        ("port", "5413", 1, false),
        ("port", "5413", 3, false),
        ("other", "77", 4, true),
        ("old_size", "12", 9, true),
        ("old_size", "13", 9, false),
        ("owner", "kim_b", 9, true),
    ] {
        assert_eq!(visible.has_pair(key, value, Seq(at)), expected, "{key}={value} of {at}");
    }
}

#[test]
fn a_value_stands_close_behind_its_key() {
    for (text, expected) in [
        ("port=5413", true),
        ("port is set:5413", true),
        ("port is set: 5413", false),
        ("5413 is the port", false),
        ("port 80, port 5413", true),
    ] {
        assert_eq!(has_pair(text, "port", "5413"), expected, "{text}");
    }
}

#[test]
fn names_are_visible_in_texts_calls_and_results() {
    let view = with_summaries(
        "user: a_one\nassistant: b_two\n  thinking: no_name\n  -> c1 read {\"path\":\"c_three\",\"in\":[\"d_four\"]}\nresults:\n  c1 = e_five",
        &[0],
    );
    let entries: Vec<&Entry> = view.entries().iter().collect();
    let written = ["f_six".to_owned()];
    let visible = Visible::of(&entries, &written);
    let mut names: Vec<&str> = visible.names.into_iter().collect();
    names.sort_unstable();
    assert_eq!(names, ["a_one", "b_two", "c_three", "d_four", "e_five", "f_six"]);
}
