//! The sixth identical call in a row is refused, and any other call resets the count.

use proptest::prelude::{prop, proptest};
use serde_json::{Value, json};
use throughline_conversation::ToolCall;

use super::{IDENTICAL_CALLS, RepetitionGuard, Verdict};

fn call(name: &str, input: Value) -> ToolCall {
    // Ids differ from call to call and mean nothing.
    ToolCall { id: format!("c{input}"), name: name.to_owned(), input }
}

/// `.` for a call that runs, `x` for one that is refused.
fn verdicts(calls: impl IntoIterator<Item = ToolCall>) -> String {
    let mut guard = RepetitionGuard::new();
    let sign = |verdict| if verdict == Verdict::Run { '.' } else { 'x' };
    calls.into_iter().map(|call| sign(guard.observe(&call))).collect()
}

// C-02
#[test]
fn the_sixth_identical_call_in_a_row_is_refused_and_so_is_every_further_one() {
    assert_eq!(verdicts((0..8).map(|_| call("shell", json!({"command": "make"})))), ".....xxx");
}

// C-02
#[test]
fn any_other_call_resets_the_count() {
    let other_arguments =
        (0..12).map(|n| call("shell", json!({"command": if n == 5 { "ls" } else { "make" }})));
    assert_eq!(verdicts(other_arguments), "...........x");
    let other_tool = (0..12).map(|n| call(if n == 6 { "grep" } else { "read_file" }, json!({"path": "a"})));
    assert_eq!(verdicts(other_tool), ".....x......");
}

// C-02
#[test]
fn the_order_of_keys_makes_no_difference_and_the_order_of_a_list_does() {
    let keys = [r#"{"a":1,"b":{"c":2,"d":3}}"#, r#"{"b":{"d":3,"c":2},"a":1}"#];
    let of = |text: &str| call("t", serde_json::from_str(text).unwrap());
    assert_eq!(verdicts((0..6).map(|n| of(keys[n % 2]))), ".....x");
    assert_eq!(verdicts((0..8).map(|n| of(["[1,2]", "[2,1]"][n % 2]))), "........");
}

// C-02
#[test]
fn the_refusal_names_the_tool_and_the_count() {
    let mut guard = RepetitionGuard::new();
    let call = call("{count}_tool", json!({}));
    let mut last = Verdict::Run;
    for _ in 0..7 {
        last = guard.observe(&call);
    }
    let output = last.refusal().unwrap();
    let text = String::from_utf8(output.bytes).unwrap();
    assert!(output.is_error);
    assert!(text.starts_with("{count}_tool was not run: it has just been called 6 times in a row"), "{text}");
    assert!(text.contains("do something else"), "{text}");
    assert_eq!(Verdict::Run.refusal(), None);
}

proptest! {
    // C-02
    #[test]
    fn a_call_is_refused_exactly_when_five_identical_ones_precede_it(numbers in prop::collection::vec(0u8..2, 0..60)) {
        let seen = verdicts(numbers.iter().map(|n| call("t", json!({"n": n}))));
        let most = IDENTICAL_CALLS as usize;
        let expected: String = (0..numbers.len())
            .map(|at| {
                let run = numbers[..=at].iter().rev().take_while(|n| **n == numbers[at]).count();
                if run > most { 'x' } else { '.' }
            })
            .collect();
        assert_eq!(seen, expected);
    }
}
