//! The policy `slop`, by its own numbers and texts.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use throughline_compaction::{Compacted, CompactionError, RollingChain, StrategyChain as _, parse_truncated};
use throughline_conversation::{ContentBlock, Seq, View};
use throughline_testkit::view;

use super::Slop;
use super::tiers::row;
use crate::testing::{appended, compact_by, compactor as compactor_of, rendered};

fn compact(numbers: Slop, view: &View) -> Result<Compacted, CompactionError> {
    compact_by(&compactor_of(numbers, 0.0, None), view, 1_000_000, 0, None)
}

fn steps(range: std::ops::RangeInclusive<usize>, tool: &str, result: &str) -> String {
    range.fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "assistant:\n  -> c{n} {tool} {{}}\nresults:\n  c{n} = {result}");
        text
    })
}

/// What is shown of each result, in characters in front of the reference and the query; `=` for a whole one.
fn shown(view: &View) -> String {
    let results = view.entries().iter().flat_map(|entry| entry.message.tool_results());
    let size = |text: &str| match parse_truncated(text) {
        Some((head, _)) => head.chars().count().to_string(),
        None => format!("={}", text.chars().count()),
    };
    results.map(|result| size(&result.content)).collect::<Vec<_>>().join(" ")
}

fn check(view: &View, expected: &Expect) -> View {
    let done = compact(Slop::default(), view);
    let after = done.map_or_else(|_| view.clone(), |done| appended(view, &done));
    expected.assert_eq(&shown(&after));
    after
}

// S4-06
#[test]
fn the_numbers_are_those_of_the_design() {
    let numbers = Slop::default();
    let sizes = (numbers.recent, numbers.recent_chars, numbers.older_chars, numbers.inactive_chars);
    assert_eq!(sizes, (5, 5_000, 1_000, 300));
}

// S4-02
#[test]
fn this_many_groups_are_shown_and_0_means_all() {
    assert_eq!(Slop::default().shown_groups(), Some(5));
    assert_eq!(Slop { groups: 0, ..Slop::default() }.shown_groups(), None);
    assert_eq!(RollingChain.shown_groups(), None);
}

// S4-07
#[test]
fn the_hint_is_exact() {
    let text = "user: a\nassistant:\n  -> x read {}\n  -> y read {}\nresults:\n  x = short\n  y = ";
    let text = format!("{text}{}\nuser: b", "word ".repeat(100));
    let numbers = Slop { inactive_chars: 20, ..Slop::default() };
    // The result is block 1 of record 3.
    expect![[r#"
        user: a
        assistant:
          -> x read {}
          -> y read {}
        results:
          x = short
          y = word word word word  [ref_id="r-ced8077840be67e8"]... [TRUNCATED. Use query_db(sql="SELECT content FROM messages WHERE id=30001") to see full output]
        user: b
        keep r-ced8077840be67e8 read: 500 bytes
        compacted 4 → 4 messages, 107 → 24 tokens (result_tiers); 19 rewritten
    "#]].assert_eq(&rendered(compact(numbers, &view(&text))));
}

#[test]
fn a_row_is_the_record_and_the_place_in_it() {
    assert_eq!(row(Seq(3), 1), 30_001);
    assert_eq!(row(Seq(12), 0), 120_000);
}

// S4-06
#[test]
fn the_five_newest_of_the_group_at_work_have_5000_and_older_ones_1000() {
    let text = format!("user: go\n{}", steps(1..=7, "read", &"x ".repeat(3_000)));
    check(&view(&text), &expect!["1000 1000 5000 5000 5000 5000 5000"]);
    // What is not over its size stays: 1,000 characters, and 5,000.
    let text = format!(
        "user: go\n{}{}",
        steps(1..=2, "read", &"x ".repeat(500)),
        steps(3..=7, "read", &"x ".repeat(2_500))
    );
    check(&view(&text), &expect!["=1000 =1000 =5000 =5000 =5000 =5000 =5000"]);
}

// S4-06
#[test]
fn results_of_groups_before_have_300() {
    let text = format!("user: go\n{}user: on", steps(1..=3, "read", &"é ".repeat(3_000)));
    let after = check(&view(&text), &expect!["300 300 300"]);
    // Once cut, cut: the same again changes nothing.
    assert!(matches!(compact(Slop::default(), &after), Err(CompactionError::NothingToGain { .. })));
}

#[test]
fn a_result_is_cut_again_when_its_group_ends_and_keeps_its_reference() {
    let text = format!("user: go\n{}", steps(1..=1, "read", &"x ".repeat(3_000)));
    let first = check(&view(&text), &expect!["5000"]);
    let mut view = first.clone();
    for mut record in throughline_testkit::records("assistant: so\nuser: next") {
        record.seq = view.last().next();
        record.exchange = if record.exchange.0 == 0 { view.exchange() } else { view.exchange().next() };
        view.apply(&record, &throughline_testkit::WordCounter).expect("messages in order apply");
    }
    let second = check(&view, &expect!["300"]);
    let reference = |view: &View| {
        let mut blocks = view.entries().iter().flat_map(|entry| &entry.message.content);
        blocks.find_map(|block| match block {
            ContentBlock::ToolResult(result) => parse_truncated(&result.content).map(|(_, stored)| stored),
            _ => None,
        })
    };
    assert!(reference(&first).is_some());
    assert_eq!(reference(&first), reference(&second));
}

// S4-07
#[test]
fn what_was_asked_for_again_stays_whole_while_it_is_worked_on() {
    let text = format!("user: go\n{}", steps(1..=7, "query_db", &"x ".repeat(3_000)));
    check(&view(&text), &expect!["=6000 =6000 =6000 =6000 =6000 =6000 =6000"]);
    check(&view(&(text + "user: on")), &expect!["300 300 300 300 300 300 300"]);
}

#[test]
fn cuts_are_due_at_a_new_message_and_after_ten_results() {
    let slop = Slop::default();
    let due = |text: &str, fresh| slop.batch_due(&view(text), fresh);
    let work = |count, size: usize| format!("user: go\n{}", steps(1..=count, "read", &"x ".repeat(size / 2)));
    assert!(!due(&work(9, 2_000), false), "nine");
    assert!(due(&work(10, 2_000), false), "ten");
    assert!(!due(&work(10, 900), false), "ten short ones");
    assert!(!due(&work(3, 400), true), "the group continues");
    assert!(due(&(work(3, 500) + "user: on"), true), "the group is over");
    assert!(!due(&(work(3, 300) + "user: on"), true), "all are short");
    assert!(!due("user: hi", true), "there is no group before");
    // Results of the group before do not count.
    let next = |count: usize| {
        format!("{}user: on\n{}", work(1, 2_000), steps(2..=count + 1, "read", &"x ".repeat(1_000)))
    };
    assert!(!due(&next(9), false), "nine in this group");
    assert!(due(&next(10), false), "ten in this group");
    // After the cuts it takes ten more.
    let after =
        check(&view(&work(10, 2_000)), &expect!["1000 1000 1000 1000 1000 =2000 =2000 =2000 =2000 =2000"]);
    assert!(!slop.batch_due(&after, false));
}
