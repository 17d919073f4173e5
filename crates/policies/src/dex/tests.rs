//! The policy `dex`, by its own numbers and texts.

mod summary;

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};
use throughline_compaction::{CompactionError, CompactionJob, Compactor, StrategyChain as _, Summarizer};
use throughline_testkit::{WordCounter, view};

use super::Dex;
use super::removal::{how_many, middle_out, selected};
use crate::testing::{compact_by, compactor as compactor_of, rendered, session, words};

fn compactor(dex: Dex, summarizer: Option<Arc<dyn Summarizer>>) -> Compactor {
    compactor_of(dex, 0.1, summarizer)
}

/// Steps with a result of this many words each.
fn steps(count: usize, result: usize) -> String {
    (1..=count).fold("user: go\n".to_owned(), |mut text, n| {
        let _ = writeln!(text, "assistant:\n  -> c{n} read {{}}\nresults:\n  c{n} = {}", words(result));
        text
    })
}

/// The notation, compacted when a request of this many tokens is compacted, by rule.
fn check(text: &str, compact_at: u64, fixed: u64, expected: &Expect) {
    let done = compact_by(&compactor(Dex::default(), None), &view(text), 1_000, fixed, Some(compact_at));
    let notes: String =
        done.iter().flat_map(|done| &done.notes).map(|line| format!("log: {line}\n")).collect();
    expected.assert_eq(&(rendered(done).replace(&words(40), "…40…") + &notes));
}

// S0-01 S0-02 S0-24
#[test]
fn the_numbers_are_those_of_the_design() {
    let dex = Dex::default();
    assert_eq!(dex.levels, [0, 10, 20, 50, 100]);
    assert_eq!(dex.keep_messages, 10);
    let (view, session) = (view("user: hi"), session());
    let job = CompactionJob {
        compact_at: Some(180_000),
        ..CompactionJob::new(&session, &view, &WordCounter, 200_000)
    };
    // Below 144,000, and not at it.
    assert_eq!(dex.target(&job), Some(143_999));
    // The system prompt counts on both sides.
    assert_eq!(dex.target(&CompactionJob { fixed: 40_000, ..job.clone() }), Some(103_999));
    assert_eq!(dex.target(&CompactionJob { fixed: 150_000, ..job }), Some(0));
}

// S0-05
#[test]
fn a_share_is_rounded_down_but_never_to_nothing() {
    assert_eq!(how_many(10, 10), 1);
    assert_eq!(how_many(19, 10), 1);
    assert_eq!(how_many(3, 10), 1);
    assert_eq!(how_many(7, 50), 3);
    assert_eq!(how_many(7, 100), 7);
    // S0-04
    assert_eq!(how_many(7, 0), 0);
    assert_eq!(how_many(0, 100), 0);
}

// S0-06
#[test]
fn the_middle_goes_first() {
    assert_eq!(middle_out(10), [4, 5, 3, 6, 2, 7, 1, 8, 0, 9]);
    assert_eq!(middle_out(4), [1, 2, 0, 3]);
    assert_eq!(selected(10, 20), [4, 5]);
    assert_eq!(selected(10, 50), [4, 5, 3, 6, 2]);
    // One, and odd numbers: none is left over, none is named twice.
    assert!(middle_out(0).is_empty());
    assert_eq!(middle_out(1), [0]);
    assert_eq!(middle_out(2), [0, 1]);
    assert_eq!(middle_out(3), [0, 1, 2]);
    assert_eq!(middle_out(5), [1, 2, 0, 3, 4]);
    for count in 0..60 {
        let mut all = middle_out(count);
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..count), "{count}: {all:?}");
    }
}

// S0-03
#[test]
fn a_message_with_two_results_is_one_response() {
    let forty = words(40);
    let text = format!(
        "user: go\nassistant:\n  -> a1 read {{}}\n  -> a2 read {{}}\nresults:\n  a1 = {forty}\n  a2 = {forty}\n\
         assistant:\n  -> b1 read {{}}\nresults:\n  b1 = {forty}\n\
         assistant:\n  -> c1 read {{}}\nresults:\n  c1 = {forty}\n"
    );
    // 10 % of three messages is one: that in the middle, whole. Of four results it would be the second alone.
    let done = compact_by(&compactor(Dex::default(), None), &view(&text), 1_000, 0, Some(165)).unwrap();
    assert!(done.notes[0].starts_with("compaction: removed 10% of tool responses, "), "{:?}", done.notes);
    let shown = rendered(Ok(done));
    for (id, removed) in [("a1", true), ("a2", true), ("b1", false), ("c1", false)] {
        assert_eq!(shown.contains(&format!("{id} = [Tool result cleared")), removed, "{id}: {shown}");
    }
}

// S0-04
#[test]
fn level_0_and_a_history_without_responses_change_nothing() {
    let without = "user: go\nassistant: first\nuser: more\nassistant: second\n";
    for text in [steps(8, 40).as_str(), without] {
        let refused = compact_by(&compactor(Dex::default(), None), &view(text), 2_000, 0, Some(1_000));
        assert!(matches!(refused, Err(CompactionError::NothingToGain { .. })), "{refused:?}");
    }
}

// S0-03 S0-07
#[test]
fn the_first_level_that_is_enough_is_taken() {
    // 8 results of 40 words, of which one is not read yet, 8 calls of 2 and a word: 337. A removed one keeps 17, so
    // 23 are gained by each: 10 % (1 result) leaves 314, 20 % (1) the same, 50 % (4) 245.
    check(
        &steps(8, 40),
        330,
        0,
        &expect![[r#"
        user: go
        assistant:
          -> c1 read {}
        results:
          c1 = …40…
        assistant:
          -> c2 read {}
        results:
          c2 = …40…
        assistant:
          -> c3 read {}
        results:
          c3 = [Tool result cleared — 149 bytes from "read". Use the "read_result" tool with ref_id="r-bd4b340fe7073992" to read it.]
        assistant:
          -> c4 read {}
        results:
          c4 = [Tool result cleared — 149 bytes from "read". Use the "read_result" tool with ref_id="r-bd4b340fe7073992" to read it.]
        assistant:
          -> c5 read {}
        results:
          c5 = [Tool result cleared — 149 bytes from "read". Use the "read_result" tool with ref_id="r-bd4b340fe7073992" to read it.]
        assistant:
          -> c6 read {}
        results:
          c6 = [Tool result cleared — 149 bytes from "read". Use the "read_result" tool with ref_id="r-bd4b340fe7073992" to read it.]
        assistant:
          -> c7 read {}
        results:
          c7 = …40…
        assistant:
          -> c8 read {}
        results:
          c8 = …40…
        keep r-bd4b340fe7073992 read: 149 bytes
        compacted 17 → 17 messages, 337 → 245 tokens (tool_response_removal); 158 rewritten
        log: compaction: removed 50% of tool responses, 337 -> 245 tokens
    "#]],
    );
}

// S0-02
#[test]
fn the_target_is_met_strictly() {
    // 80 % of 393 is 314: one removed result leaves just that, which is not below it.
    check(
        &steps(8, 40),
        393,
        0,
        &expect![[r#"
        user: go
        assistant:
          -> c1 read {}
        results:
          c1 = …40…
        assistant:
          -> c2 read {}
        results:
          c2 = …40…
        assistant:
          -> c3 read {}
        results:
          c3 = [Tool result cleared — 149 bytes from "read". Use the "read_result" tool with ref_id="r-bd4b340fe7073992" to read it.]
        assistant:
          -> c4 read {}
        results:
          c4 = [Tool result cleared — 149 bytes from "read". Use the "read_result" tool with ref_id="r-bd4b340fe7073992" to read it.]
        assistant:
          -> c5 read {}
        results:
          c5 = [Tool result cleared — 149 bytes from "read". Use the "read_result" tool with ref_id="r-bd4b340fe7073992" to read it.]
        assistant:
          -> c6 read {}
        results:
          c6 = [Tool result cleared — 149 bytes from "read". Use the "read_result" tool with ref_id="r-bd4b340fe7073992" to read it.]
        assistant:
          -> c7 read {}
        results:
          c7 = …40…
        assistant:
          -> c8 read {}
        results:
          c8 = …40…
        keep r-bd4b340fe7073992 read: 149 bytes
        compacted 17 → 17 messages, 337 → 245 tokens (tool_response_removal); 158 rewritten
        log: compaction: removed 50% of tool responses, 337 -> 245 tokens
    "#]],
    );
}

// S0-09 S0-24 S0-26 S0-27
#[test]
fn when_no_level_is_enough_all_but_the_last_ten_messages_are_summarized() {
    let text = format!(
        r#"
user: fix the parser
assistant: I have decided to rewrite lexer.rs. It is short. {} {}
  -> a1 read {{}}
results:
  a1 = fn lex
assistant: tests now
  -> a2 bash {{}}
results:
  a2 = QUALITY_PASSED all green
assistant: done with that
user: and the docs
"#,
        words(40),
        words(40)
    );
    let tail: String =
        (1..=5).map(|n| format!("assistant:\n  -> c{n} read {{}}\nresults:\n  c{n} = x{n}\n")).collect();
    check(
        &(text + &tail),
        100,
        0,
        &expect![[r#"
            summary: ## Compacted History\n- Called read\n- Decision: I have decided to rewrite lexer.rs.\n- Called bash\n- Quality gate: passed\n\n## What the user said\n> fix the parser\n\n[Full text of these messages: ref_id="r-2082ff6e13722652" (use "read_result").]
            user: and the docs
            assistant:
              -> c1 read {}
            results:
              c1 = x1
            assistant:
              -> c2 read {}
            results:
              c2 = x2
            assistant:
              -> c3 read {}
            results:
              c3 = x3
            assistant:
              -> c4 read {}
            results:
              c4 = x4
            assistant:
              -> c5 read {}
            results:
              c5 = x5
            keep r-2082ff6e13722652 conversation: 624 bytes
            compacted 17 → 12 messages, 124 → 56 tokens (history_summary); 56 rewritten
        "#]],
    );
}

#[test]
fn a_cut_through_a_step_keeps_it_whole() {
    // Ten messages back stands a result; its call stays with it.
    let text = steps(6, 30) + "assistant: so\nuser: next\nassistant: w";
    check(
        &text,
        100,
        0,
        &expect![[r#"
            summary: ## Compacted History\n- Called read\n- Called read\n\n## What the user said\n> go\n\n[Full text of these messages: ref_id="r-976c2b80854aa650" (use "read_result").]
            assistant:
              -> c3 read {}
            results:
              c3 = w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29
            assistant:
              -> c4 read {}
            results:
              c4 = w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29
            assistant:
              -> c5 read {}
            results:
              c5 = w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29
            assistant:
              -> c6 read {}
            results:
              c6 = w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23 w24 w25 w26 w27 w28 w29
            assistant: so
            user: next
            assistant: w
            keep r-976c2b80854aa650 conversation: 398 bytes
            compacted 16 → 12 messages, 196 → 155 tokens (history_summary); 155 rewritten
        "#]],
    );
}

// S0-24
#[test]
fn ten_messages_stay_unchanged() {
    let text = format!("user: {}\nassistant: a\n", words(40)) + &"user: b\nassistant: c\n".repeat(4);
    check(
        &text,
        10,
        0,
        &expect![[r#"
            error: nothing to compact: it would only go from 49 to 49 tokens and invalidate the prompt cache
        "#]],
    );
}

#[test]
fn a_result_that_is_not_read_is_never_removed() {
    check(
        &steps(1, 400),
        100,
        0,
        &expect![[r#"
            error: nothing to compact: it would only go from 403 to 403 tokens and invalidate the prompt cache
        "#]],
    );
}
