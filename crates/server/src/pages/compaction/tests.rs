//! How the stretches of a compaction are named.

use serde_json::{Value, json};

use super::{ShownCover, joined};

fn cover(first: u64, last: u64, messages: usize, summary: Option<&str>) -> Value {
    let message = json!({"kind": "user", "first_line": "x", "tokens": 1});
    json!({"span": {"first": first, "last": last}, "messages": vec![message; messages], "summary": summary})
}

fn titles(covers: &[Value]) -> Vec<String> {
    joined(&json!(covers)).iter().map(ShownCover::title).collect()
}

#[test]
fn a_stretch_of_one_record_is_named_in_the_singular() {
    assert_eq!(titles(&[cover(84, 84, 1, Some("all"))]), ["Record 84: 1 message"]);
}

#[test]
fn stretches_with_nothing_in_their_place_are_one() {
    let covers =
        [cover(1, 4, 4, None), cover(6, 6, 1, None), cover(8, 9, 2, None), cover(11, 20, 10, Some("all"))];
    assert_eq!(titles(&covers), ["Records 1 to 9, 3 stretches: 7 messages", "Records 11 to 20: 10 messages"]);
}
