//! Which results and inputs become references.

use std::sync::Arc;

use expect_test::{Expect, expect};
use throughline_conversation::Action;
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

/// What was cleared of a view within that aim: the calls whose results and whose inputs are no longer whole.
fn cleared(policy: CompactionPolicy, aim: u64, text: &str) -> (String, String) {
    let target = crate::TargetSize { fraction: 1.0, tokens: aim };
    let policy = CompactionPolicy { target, minimum_gain: 0.0, ..policy };
    let Ok(done) = compact(&clearing(policy), &view(text), 100_000, Goal::Deep) else {
        return (String::new(), String::new());
    };
    let (mut results, mut inputs) = (Vec::new(), Vec::new());
    for action in &done.edit.actions {
        match action {
            Action::ReplaceResult { call_id, .. } => results.push(call_id.clone()),
            Action::ReplaceInput { call_id, .. } => inputs.push(call_id.clone()),
            _ => {}
        }
    }
    (results.join(" "), inputs.join(" "))
}

/// Steps with results of that many words of one letter, then a protected one.
fn steps(sizes: &[usize]) -> String {
    let step = |(at, size): (usize, &usize)| {
        let content = vec!["a"; *size].join(" ");
        format!("assistant: b\n  -> c{at} list {{}}\nresults:\n  c{at} = {content}\n")
    };
    let steps: String = sizes.iter().enumerate().map(step).collect();
    format!("user: go\n{steps}assistant: on\n  -> z bash {{}}\nresults:\n  z = ok")
}

#[test]
fn results_go_until_the_rest_is_estimated_to_be_within_the_aim() {
    // Each step has 303 tokens, all others 5; a tenth of a result stays as its reference.
    let two = steps(&[300, 300]);
    for (aim, expected) in [(341, "c0"), (340, "c0 c1"), (610, "c0"), (611, "")] {
        assert_eq!(cleared(small(), aim, &two).0, expected, "{aim}");
    }
    // In one message each result has its part of the tokens.
    let content = vec!["a"; 300].join(" ");
    let both = format!(
        "user: go\nassistant: b\n  -> c0 list {{}}\n  -> c1 list {{}}\nresults:\n  c0 = {content}\n  c1 = {content}\n\
         assistant: on\n  -> z bash {{}}\nresults:\n  z = ok"
    );
    for (aim, expected) in [(340, "c0"), (339, "c0 c1")] {
        assert_eq!(cleared(small(), aim, &both).0, expected, "{aim}");
    }
}

#[test]
fn short_results_stay() {
    let policy = || CompactionPolicy { clear_min_bytes: 399, ..small() };
    // Words of one letter: 200 of them have 399 bytes.
    assert_eq!(cleared(policy(), 1, &steps(&[200, 201])).0, "c1");
    // What is no longer than its stub stays, too.
    let stub = crate::cleared_stub(100, "list", &crate::placeholder_reference(), &[]).len();
    let policy = CompactionPolicy { clear_min_bytes: 1, ..small() };
    for (bytes, expected) in [(stub - 1, ""), (stub, ""), (stub + 1, "c0")] {
        let last = if bytes % 2 == 1 { "a" } else { "aa" };
        let content = format!("{}{last}", "a ".repeat((bytes - 1) / 2));
        let text = steps(&[1]).replace("c0 = a", &format!("c0 = {content}"));
        assert_eq!(cleared(policy.clone(), 1, &text).0, expected, "{bytes}");
    }
}

#[test]
fn long_strings_of_inputs_are_cut_and_others_stay() {
    let call = |input: &str| {
        format!(
            "user: go\nassistant: b\n  -> c0 write {input}\nresults:\n  c0 = ok\nassistant: on\n  -> z bash {{}}\nresults:\n  z = ok"
        )
    };
    let long = |bytes: usize| format!("\"{}\"", "a b ".repeat(bytes).get(..bytes).unwrap());
    // Twenty bytes stay, and a mark has about 150.
    for (input, expected) in [
        (format!("{{\"text\":{}}}", long(171)), "c0"),
        (format!("{{\"text\":{}}}", long(170)), ""),
        (format!("{{\"in\":[{{\"text\":{}}}]}}", long(171)), "c0"),
    ] {
        assert_eq!(cleared(small(), 1, &call(&input)).1, expected, "{input}");
    }
    let policy = |clear_min_bytes| CompactionPolicy { clear_min_bytes, ..small() };
    let input = call(&format!("{{\"text\":{},\"more\":{},\"short\":{}}}", long(200), long(200), long(100)));
    assert_eq!(cleared(policy(399), 1, &input).1, "c0");
    assert_eq!(cleared(policy(400), 1, &input).1, "");
}

#[test]
fn a_cut_string_is_not_cut_again() {
    let names: String = (0..40).map(|at| format!("name_{at:02} is one of many and ")).collect();
    let text = format!(
        "user: go\nassistant: b\n  -> c0 write {{\"text\":\"{names}\"}}\nresults:\n  c0 = ok\nassistant: on\n  -> z bash {{}}\nresults:\n  z = ok"
    );
    let view = view(&text);
    let done = compact(&clearing(small()), &view, 1_000, Goal::Deep).unwrap();
    let cut = done.view.entries().get(1).unwrap().message.tool_calls().next().unwrap().input.to_string();
    assert!(cut.len() > 200 && cut.contains("names in it: name_01"), "{cut}");
    let policy = CompactionPolicy { minimum_gain: 0.0, ..small() };
    assert!(compact(&clearing(policy), &appended(&view, &done), 1_000, Goal::MustFit(5)).is_err());
}

#[test]
fn a_name_that_stays_in_view_is_not_listed() {
    let filler = "and more words ".repeat(20);
    let target = crate::TargetSize { fraction: 1.0, tokens: 1 };
    check(
        CompactionPolicy { target, ..small() },
        &format!(
            "user: see in_request\nassistant: see in_words\n  -> c0 list {{\"path\":\"in_input\"}}\n  -> c1 list {{}}\nresults:\n  \
             c0 = in_request in_words in_input in_result only_here {filler}\n  c1 = in_result\n\
             assistant: on\n  -> z bash {{}}\nresults:\n  z = ok"
        ),
        &expect![[r#"
            user: see in_request
            assistant: see in_words
              -> c0 list {"path":"in_input"}
              -> c1 list {}
            results:
              c0 = [Tool result cleared — 349 bytes from "list". Use the "read_result" tool with ref_id="r-5bab15b2296df878" to read it.]\nNames in it: only_here
              c1 = in_result
            assistant: on
              -> z bash {}
            results:
              z = ok
            keep r-5bab15b2296df878 list: 349 bytes
            compacted 5 → 5 messages, 78 → 34 tokens (tool_clearing); 26 rewritten
        "#]],
    );
}
