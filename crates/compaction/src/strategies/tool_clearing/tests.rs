//! Which results and inputs become references.

use std::sync::Arc;

use expect_test::{Expect, expect};
use throughline_testkit::view;

use super::ToolClearing;
use crate::testing::{appended, compact, rendered, small};
use crate::{CompactionPolicy, Compactor, Goal};

fn clearing(policy: CompactionPolicy) -> Compactor {
    Compactor::with_strategies(policy, vec![Arc::new(ToolClearing)])
}

fn check(policy: CompactionPolicy, text: &str, expected: &Expect) {
    expected.assert_eq(&rendered(compact(&clearing(policy), &view(text), 1_000, Goal::Deep)));
}

const TWO_READS: &str = r#"
user: fix the parser
assistant: let me look
  -> c1 read {"path":"src/a.rs"}
  -> c2 list {}
results:
  c1 = fn parse_header() and fn parse_body() call split_line() and then parse_body() again and more words and more words and more words and more words and more words and more words and more words and more words and more words and more words and more words and more words of it
  c2 = src/a.rs
assistant: and the other
  -> c3 read {"path":"src/b.rs"}
results:
  c3 = fn split_line(text: &str) is long enough to be cleared but belongs to the newest step of all
"#;

// S3-29
#[test]
fn old_results_become_references_with_names() {
    check(
        small(),
        TWO_READS,
        &expect![[r#"
        user: fix the parser
        assistant: let me look
          -> c1 read {"path":"src/a.rs"}
          -> c2 list {}
        results:
          c1 = [Tool result cleared — 269 bytes from "read". Use the "read_result" tool with ref_id="r-261acdb398c41f73" to read it.]\nNames in it: parse_header, parse_body
          c2 = src/a.rs
        assistant: and the other
          -> c3 read {"path":"src/b.rs"}
        results:
          c3 = fn split_line(text: &str) is long enough to be cleared but belongs to the newest step of all
        keep r-261acdb398c41f73 read: 269 bytes
        compacted 5 → 5 messages, 82 → 55 tokens (tool_clearing); 45 rewritten
    "#]],
    );
}

#[test]
fn protected_steps_are_left_alone() {
    let policy = CompactionPolicy { protect_steps: 2, ..small() };
    check(
        policy,
        TWO_READS,
        &expect![[r#"
        error: nothing to compact: it would only go from 82 to 82 tokens and invalidate the prompt cache
    "#]],
    );
}

#[test]
fn what_the_model_has_not_read_is_left_alone_even_without_protection() {
    let policy = CompactionPolicy { protect_steps: 0, ..small() };
    check(
        policy,
        TWO_READS,
        &expect![[r#"
        user: fix the parser
        assistant: let me look
          -> c1 read {"path":"src/a.rs"}
          -> c2 list {}
        results:
          c1 = [Tool result cleared — 269 bytes from "read". Use the "read_result" tool with ref_id="r-261acdb398c41f73" to read it.]\nNames in it: parse_header, parse_body
          c2 = src/a.rs
        assistant: and the other
          -> c3 read {"path":"src/b.rs"}
        results:
          c3 = fn split_line(text: &str) is long enough to be cleared but belongs to the newest step of all
        keep r-261acdb398c41f73 read: 269 bytes
        compacted 5 → 5 messages, 82 → 55 tokens (tool_clearing); 45 rewritten
    "#]],
    );
}

#[test]
fn long_strings_of_old_inputs_are_cut() {
    check(
        small(),
        r#"
user: write it
assistant: so
  -> c1 write {"path":"src/a.rs","content":"fn alpha_one() { } fn beta_two() { } this is a body of many words that runs on and on and on and on and on, and then on and on and on and on for so long that it is worth to cut it out of the view, and on and on it goes","deep":{"list":["short",1]}}
results:
  c1 = ok
assistant: done
user: now test it
assistant: testing
  -> c2 bash {"command":"make"}
results:
  c2 = ok
"#,
        &expect![[r#"
            user: write it
            assistant: so
              -> c1 write {"path":"src/a.rs","content":"fn alpha_one() { } f… [cut: 218 bytes, the whole input is ref_id=\"r-dbf3fb31a1256296\"; names in it: beta_two]","deep":{"list":["short",1]}}
            results:
              c1 = ok
            assistant: done
            user: now test it
            assistant: testing
              -> c2 bash {"command":"make"}
            results:
              c2 = ok
            keep r-dbf3fb31a1256296 write: 278 bytes
            compacted 7 → 7 messages, 68 → 30 tokens (tool_clearing); 28 rewritten
        "#]],
    );
}

#[test]
fn a_result_that_was_stored_before_keeps_its_reference() {
    check(
        small(),
        r#"
user: look
assistant: so
  -> c1 grep {"pattern":"x"}
results:
  c1 = [Tool result stored — 48,231 bytes from "grep".\nsrc/found.rs has it and here are very many more words of the beginning of this text that is long\n[… 40,000 bytes not shown]\nthe end of it]\nUse the "read_result" tool with ref_id="r-00000000000000aa" to read specific portions.
assistant: found it
user: good
assistant: next
  -> c2 bash {"command":"make"}
results:
  c2 = ok
"#,
        &expect![[r#"
            user: look
            assistant: so
              -> c1 grep {"pattern":"x"}
            results:
              c1 = [Tool result cleared — 48,231 bytes from "grep". Use the "read_result" tool with ref_id="r-00000000000000aa" to read it.]\nNames in it: src/found.rs
            assistant: found it
            user: good
            assistant: next
              -> c2 bash {"command":"make"}
            results:
              c2 = ok
            compacted 7 → 7 messages, 57 → 32 tokens (tool_clearing); 28 rewritten
        "#]],
    );
}

#[test]
fn the_oldest_go_first_and_only_as_many_as_are_needed() {
    let policy = CompactionPolicy {
        target: crate::TargetSize { fraction: 1.0, tokens: 60 },
        minimum_gain: 0.01,
        ..small()
    };
    check(
        policy,
        r#"
user: look
assistant: a
  -> c1 list {}
results:
  c1 = one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten
assistant: b
  -> c2 list {}
results:
  c2 = one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten
assistant: c
  -> c3 list {}
results:
  c3 = ok
"#,
        &expect![[r#"
            user: look
            assistant: a
              -> c1 list {}
            results:
              c1 = [Tool result cleared — 146 bytes from "list". Use the "read_result" tool with ref_id="r-f4aade285c630ac9" to read it.]
            assistant: b
              -> c2 list {}
            results:
              c2 = one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten
            assistant: c
              -> c3 list {}
            results:
              c3 = ok
            keep r-f4aade285c630ac9 list: 146 bytes
            compacted 7 → 7 messages, 71 → 58 tokens (tool_clearing); 54 rewritten
        "#]],
    );
}

#[test]
fn clearing_again_finds_nothing() {
    let view = view(TWO_READS);
    let done = compact(&clearing(small()), &view, 1_000, Goal::Deep).expect("it shrinks");
    expect![[r#"
        error: nothing to compact: it would only go from 55 to 55 tokens and invalidate the prompt cache
    "#]]
    .assert_eq(&rendered(compact(&clearing(small()), &appended(&view, &done), 1_000, Goal::Deep)));
}

#[test]
fn what_is_kept_is_exact() {
    let view = view(TWO_READS);
    let done = compact(&clearing(small()), &view, 1_000, Goal::Deep).expect("it shrinks");
    let kept = done.keep.first().expect("one result was cleared");
    let text = String::from_utf8(kept.bytes.clone()).expect("text");
    assert_eq!(
        text,
        format!(
            "fn parse_header() and fn parse_body() call split_line() and then parse_body() again {}of it",
            "and more words ".repeat(12)
        )
    );
    assert_eq!(kept.tool, "read");
}
