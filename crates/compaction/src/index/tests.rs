//! Which names are listed.

use std::collections::HashSet;

use expect_test::expect;

use super::*;

fn index(messages: &[&'static str]) -> NameIndex<'static> {
    let mut index = NameIndex::default();
    for message in messages {
        index.next_message();
        index.add(message);
    }
    index
}

#[test]
fn names_of_many_messages_come_first_then_the_latest() {
    let names = index(&["a_one b_two b_two", "b_two c_three", "d_four"]);
    expect![[r#"
        in some: b_two
        in one: d_four, c_three, a_one"#]]
    .assert_eq(&names.render(&HashSet::new(), 1_000));
}

#[test]
fn what_is_visible_elsewhere_is_left_out() {
    let names = index(&["a_one b_two"]);
    expect!["in one: b_two"].assert_eq(&names.render(&HashSet::from(["a_one"]), 1_000));
}

#[test]
fn the_most_useful_fill_the_room() {
    let names = index(&["a_one b_two", "b_two", "c_three_long_name", "d_four"]);
    let text = names.render(&HashSet::new(), 40);
    expect![[r#"
        in some: b_two
        in one: d_four, a_one"#]]
    .assert_eq(&text);
    assert!(text.len() <= 40);
    assert_eq!(names.render(&HashSet::new(), 0), "");
}

#[test]
fn an_index_is_read_back_and_keeps_its_order() {
    let first = index(&["a_one b_two", "b_two", "d_four"]).render(&HashSet::new(), 1_000);
    let mut again = NameIndex::default();
    again.next_message();
    again.merge(&first);
    again.next_message();
    again.add("e_five");
    expect![[r#"
        in some: b_two
        in one: e_five, a_one, d_four"#]]
    .assert_eq(&again.render(&HashSet::new(), 1_000));
}

#[test]
fn the_room_is_filled_to_the_last_byte() {
    let names = index(&["a_one b_two"]);
    for (bytes, expected) in
        [(21, "in one: a_one, b_two"), (20, "in one: a_one"), (14, "in one: a_one"), (13, ""), (0, "")]
    {
        assert_eq!(names.render(&HashSet::new(), bytes), expected, "{bytes}");
    }
}

#[test]
fn a_line_says_in_how_many_messages_at_least() {
    let names =
        index(&["a_one b_two", "a_one b_two", "a_one b_two", "a_one b_two", "a_one b_two", "a_one c_three"]);
    let text = names.render(&HashSet::new(), 1_000);
    assert_eq!(text, "in many messages: a_one\nin some: b_two\nin one: c_three");
    let earlier: Vec<(&str, usize)> = earlier_names(&text).collect();
    assert_eq!(earlier, [("a_one", 6), ("b_two", 2), ("c_three", 1)]);
    assert_eq!(earlier_names("d_four, e_five").collect::<Vec<_>>(), [("d_four", 1), ("e_five", 1)]);
    // Counts of several summaries add up.
    let mut again = NameIndex::default();
    for lines in ["in some: b_two", "in some: b_two", "in some: b_two, c_three"] {
        again.next_message();
        again.merge(lines);
    }
    assert_eq!(again.render(&HashSet::new(), 1_000), "in many messages: b_two\nin some: c_three");
}
