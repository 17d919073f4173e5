//! Rebuilt STATE.

use super::{REBUILD_PROMPT, RebuildInput, rebuilt, rebuilt_by_rule};
use crate::State;
use throughline_ledger::Ledger;

const ANSWER: &str = "Goal: g\nContext: c";

// S4-18
#[test]
fn a_models_answer() {
    let block = rebuilt(&format!("Here it is:\n\n### STATE\n{ANSWER}")).unwrap();
    assert_eq!((block.goal.as_str(), block.context.as_str()), ("g", "c"));
    assert_eq!(rebuilt(ANSWER), Some(block), "without its heading");
    assert!(REBUILD_PROMPT.contains("\n### STATE\nGoal: "), "the prompt asks for what is read");
}

// O-09 F-26
#[test]
fn an_answer_that_says_nothing_keeps_the_old_one() {
    for empty in ["", "I cannot do that.", "### STATE\n", "Goal:\nContext:"] {
        assert_eq!(rebuilt(empty), None, "{empty:?}");
    }
    assert_eq!(rebuilt_by_rule(&RebuildInput::default()), None);
}

// O-09
#[test]
fn the_newest_block_in_view_is_taken() {
    let view = throughline_testkit::view(
        r"
        user: one
        assistant: ### STATE\nGoal: first
        user: two\n### STATE\nGoal: not mine
        assistant: ### STATE\nGoal: second
        user: three
        assistant: no block
        ",
    );
    let state =
        rebuilt_by_rule(&RebuildInput { entries: view.entries(), ..RebuildInput::default() }).unwrap();
    assert_eq!(state.goal, "second");
}

// O-09
#[test]
fn without_a_block_it_is_made_by_rule() {
    let view = throughline_testkit::view(
        r#"
        user: fix the parser\nand more
        assistant: sure
          -> c1 write_file {"path":"gone.rs","content":"x"}
          -> c2 edit_file {"path":"a.rs","old_text":"x","new_text":"y"}
          -> c3 read_file {"path":"only_read.rs"}
          -> c4 edit_file {"path":"b.rs","old_text":"x","new_text":"y"}
          -> c5 edit_file {"path":"a.rs","old_text":"y","new_text":"z"}
        results:
          c1 = Created gone.rs
          c2 = user: not a request
          c3 = text
          c4 = done
          c5 = done
        assistant: done
        "#,
    );
    let old = State::of("old goal", "old.rs", "old", "port 8080");
    let mut ledger = Ledger::of(view.entries());
    let gone = ledger.files.iter_mut().find(|note| note.path == "gone.rs").unwrap();
    gone.deleted = true;
    let input = RebuildInput {
        entries: view.entries(),
        old: Some(&old),
        scratchpad: "## Current Plan\n1. [x] look\n2. [x] fix\n3. [ ] test",
        ledger: Some(&ledger),
    };
    let state = rebuilt_by_rule(&input).unwrap();
    expect_test::expect![[r#"
        Goal: fix the parser
        Context: a.rs, b.rs
        Resolved: look; fix
        Technical Anchors: port 8080"#]]
    .assert_eq(&state.text);
}

#[test]
fn a_long_request_is_shortened_between_characters() {
    let view = throughline_testkit::view(&format!("user: a{}", "é".repeat(200)));
    let state =
        rebuilt_by_rule(&RebuildInput { entries: view.entries(), ..RebuildInput::default() }).unwrap();
    // 300 bytes hold the a, 149 letters of two bytes and half a one.
    assert_eq!(state.goal, format!("a{}…", "é".repeat(149)));
}
