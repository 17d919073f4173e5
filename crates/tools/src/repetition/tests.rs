//! The sixth identical call in a row is refused, and any other call resets the count.

use proptest::prelude::{prop, proptest};
use serde_json::{Value, json};
use throughline_conversation::ToolCall;

use super::{IDENTICAL_CALLS, RepetitionGuard, Verdict};
use crate::output::ToolOutput;

fn call(name: &str, input: Value) -> ToolCall {
    // Ids differ from call to call and mean nothing.
    ToolCall { id: format!("c{input}"), name: name.to_owned(), input }
}

/// `.` for a call that runs, `x` for one that is refused.
fn verdicts(calls: impl IntoIterator<Item = ToolCall>) -> String {
    let mut guard = RepetitionGuard::new(None);
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
    let mut guard = RepetitionGuard::new(None);
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

/// The number of requests, of at most 200, after which a turn with this limit ends: `call` gives the call of each request,
/// `answer` the output if it is run. With the number of those that were refused.
fn ends_after(
    limit: u64,
    call: impl Fn(u64) -> ToolCall,
    answer: impl Fn(u64) -> ToolOutput,
) -> Option<(u64, u64)> {
    let mut guard = RepetitionGuard::new(Some(limit));
    let mut refused = 0;
    for n in 0..200 {
        match guard.observe(&call(n)) {
            Verdict::Run => guard.note_output(&call(n), &answer(n)),
            Verdict::Refuse(_) => refused += 1,
        }
        guard.end_request();
        if guard.stalled().is_some() {
            return Some((n + 1, refused));
        }
    }
    None
}

#[test]
fn a_call_that_is_repeated_for_ever_is_refused_and_then_ends_the_turn() {
    let same = |_| call("edit_file", json!({"path": "a"}));
    assert_eq!(ends_after(20, same, |_| ToolOutput::error("no such text")), Some((9, 4)));
}

#[test]
fn a_repeated_call_whose_answer_changes_is_refused_at_half_of_the_limit() {
    let poll = |_| call("shell", json!({"command": "tail build.log"}));
    assert_eq!(ends_after(20, poll, |n| ToolOutput::text(format!("step {n}"))), Some((1 + 20 + 3, 3)));
    // It hangs at step 8, in the ninth call: the answers of four more are the same.
    let (after, refused) = ends_after(100, poll, |n| ToolOutput::text(format!("step {}", n.min(8)))).unwrap();
    assert_eq!(after - refused, 9 + 4);
}

#[test]
fn identical_calls_of_one_answer_are_counted_before_any_of_them_has_run() {
    let mut guard = RepetitionGuard::new(None);
    let make = call("shell", json!({"command": "make"}));
    assert!((0..5).all(|_| guard.observe(&make) == Verdict::Run));
    for _ in 0..5 {
        guard.note_output(&make, &ToolOutput::text("built"));
    }
    assert_ne!(guard.observe(&make), Verdict::Run);
}

#[test]
fn a_cycle_of_calls_is_refused_at_half_of_the_limit_and_then_ends_the_turn() {
    for length in [2, 3, 7] {
        let cycle = |n| call("read_file", json!({"path": n % length}));
        let (after, refused) = ends_after(20, cycle, |_| ToolOutput::text("the same")).unwrap();
        assert_eq!((after, refused), (length + 10 + 3, 3), "{length}");
    }
}

#[test]
fn new_answers_and_new_failures_count_half() {
    let commands = ["sleep 60", "tail log"];
    let cycle = |n| call("shell", json!({"command": commands[n as usize % 2]}));
    assert_eq!(ends_after(20, cycle, |n| ToolOutput::text(format!("step {n}"))), Some((2 + 20 + 3, 3)));
    let other = |n| call("edit_file", json!({"old_string": n}));
    assert_eq!(ends_after(20, other, |_| ToolOutput::error("no such text")), Some((40, 0)));
}

#[test]
fn new_calls_that_succeed_never_end_a_turn() {
    // A test that fails between edits.
    let work = |n| match n % 2 {
        0 => call("shell", json!({"command": "cargo test"})),
        _ => call("edit_file", json!({"path": "a", "new_string": n})),
    };
    let answer = |n| if n % 2 == 0 { ToolOutput::error("1 failed") } else { ToolOutput::text("Edited a.") };
    assert_eq!(ends_after(20, work, answer), None);
}

#[test]
fn requests_without_a_call_that_can_be_run_end_the_turn_after_five() {
    let mut guard = RepetitionGuard::new(Some(20));
    let mut ends = || {
        guard.end_request();
        guard.stalled()
    };
    assert_eq!((0..5).map(|_| ends()).collect::<Vec<_>>(), [None, None, None, None, Some(5)]);
    guard.begin_turn();
    assert_eq!(guard.stalled(), None);
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
