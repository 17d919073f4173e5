//! Prefixes differ, and fit into an id.

use std::collections::BTreeSet;

use super::{ALL, answer_prefix, base36};

#[test]
fn numbers_are_written_in_base_36() {
    for (number, text) in [(0, "0000000-"), (35, "000000z-"), (36, "0000010-"), (ALL - 1, "zzzzzzz-")] {
        assert_eq!(base36(number), text);
    }
}

#[test]
fn no_two_answers_have_one_prefix() {
    let prefixes: BTreeSet<String> = (0..10_000).map(|_| answer_prefix()).collect();
    assert_eq!(prefixes.len(), 10_000);
    let plain = |prefix: &String| {
        prefix.len() == 8 && prefix.bytes().all(|byte| byte == b'-' || byte.is_ascii_alphanumeric())
    };
    assert!(prefixes.iter().all(plain));
}
