//! The policy `rubichan`, by its own numbers and texts.

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};
use throughline_compaction::{
    CompactionJob, Compactor, MockSummarizer, Prose, StrategyChain as _, Summarizer,
};
use throughline_testkit::{WordCounter, records, view};

use super::{Rubichan, Signals};
use crate::testing::{appended, compact_by, compactor as compactor_of, rendered, session, words};

fn compactor(numbers: Rubichan, summarizer: Option<Arc<dyn Summarizer>>) -> Compactor {
    compactor_of(numbers, 0.1, summarizer)
}

/// The notation, compacted in a window of this many tokens of which compaction is due at 95 %.
fn check(numbers: Rubichan, text: &str, window: u64, expected: &Expect) {
    let due = Some(window * 95 / 100);
    let done = compact_by(&compactor(numbers, None), &view(text), window, 0, due);
    expected.assert_eq(&rendered(done).replace(&words(300), "…300…").replace(&words(40), "…40…"));
}

/// Exchanges of four messages, one of them a result of this many words.
fn exchanges(count: usize, result: usize) -> String {
    (1..=count).fold(String::new(), |mut text, n| {
        let _ = writeln!(
            text,
            "user: do {n}\nassistant:\n  -> c{n} read {{}}\nresults:\n  c{n} = {}\nassistant: did number {n} as the user asked for",
            words(result)
        );
        text
    })
}

// S3-29
#[test]
fn the_numbers_are_those_of_the_design() {
    let numbers = Rubichan::default();
    assert_eq!((numbers.clear_percent, numbers.clear_bytes), (50, 1_024));
    assert_eq!((numbers.clear_percent_errors, numbers.clear_percent_tools), (35, 65));
    assert_eq!((numbers.many_errors, numbers.many_tools), (0.3, 0.6));
    assert_eq!((numbers.summarize_from, numbers.summarize_percent), (20, 60));
}

#[test]
fn the_request_comes_down_to_seven_tenths_of_the_effective_window() {
    let (view, session) = (view("user: hi"), session());
    let target = |room, fixed| {
        let job = CompactionJob { fixed, ..CompactionJob::new(&session, &view, &WordCounter, room) };
        Rubichan::default().target(&job)
    };
    assert_eq!(target(100_000, 0), Some(70_000));
    // The system prompt and the tools are part of the request.
    assert_eq!(target(80_000, 20_000), Some(50_000));
    assert_eq!(target(10_000, 90_000), Some(0));
}

// S3-29
#[test]
fn signals_are_shares_of_the_messages() {
    let text = "user: go\nassistant:\n  -> a x {}\n  -> b x {}\nresults:\n  a ! no\n  b = y\nassistant: so";
    let signals = Signals::of(view(text).entries());
    assert_eq!(signals, Signals { error_density: 0.25, tool_call_density: 0.5, messages: 4 });
    assert_eq!(Signals::of(&[]), Signals::default());
}

// S3-29
#[test]
fn signals_move_the_reach() {
    let numbers = Rubichan::default();
    let reach = |error_density, tool_call_density| {
        numbers.reach(Signals { error_density, tool_call_density, messages: 10 })
    };
    assert_eq!(reach(0.0, 0.0), (50, 1_024));
    // At the bound nothing moves yet.
    assert_eq!(reach(0.3, 0.6), (50, 1_024));
    assert_eq!(reach(0.31, 0.0), (35, 1_024));
    assert_eq!(reach(0.0, 0.61), (65, 768));
    assert_eq!(reach(0.31, 0.61), (35, 768));
}

// S3-29
#[test]
fn large_results_of_the_older_half_are_cleared() {
    // 16 messages, half of them with a call or a result: the results of the first 8 go, which are two.
    check(
        Rubichan::default(),
        &(exchanges(4, 300) + "user: on"),
        1_100,
        &expect![[r#"
        user: do 1
        assistant:
          -> c1 read {}
        results:
          c1 = [Tool result cleared — was 1389 bytes]\nUse the "read_result" tool with ref_id="r-8f4ec6f47da635aa" to read it.
        assistant: did number 1 as the user asked for
        user: do 2
        assistant:
          -> c2 read {}
        results:
          c2 = [Tool result cleared — was 1389 bytes]\nUse the "read_result" tool with ref_id="r-8f4ec6f47da635aa" to read it.
        assistant: did number 2 as the user asked for
        user: do 3
        assistant:
          -> c3 read {}
        results:
          c3 = …300…
        assistant: did number 3 as the user asked for
        user: do 4
        assistant:
          -> c4 read {}
        results:
          c4 = …300…
        assistant: did number 4 as the user asked for
        user: on
        keep r-8f4ec6f47da635aa read: 1389 bytes
        compacted 17 → 17 messages, 1,249 → 681 tokens (tool_result_clearing); 677 rewritten
    "#]],
    );
}

#[test]
fn the_result_right_behind_the_older_part_stays() {
    // 36 percent of 17 messages are 6. The seventh has the second result.
    let talk = view(&(exchanges(4, 300) + "user: on"));
    // Each result has 1,389 bytes.
    for (clear_bytes, cleared) in [(1_389, 1), (1_390, 0)] {
        let numbers = Rubichan { clear_percent: 36, clear_bytes, ..Rubichan::default() };
        let done = rendered(compact_by(&compactor(numbers, None), &talk, 1_400, 0, Some(1_000)));
        assert_eq!(done.matches("cleared — was").count(), cleared, "{done}");
    }
}

// S3-29
#[test]
fn twenty_messages_are_summarized() {
    // Nothing is large enough to be cleared: 21 messages, of which 60 % are 12.
    check(
        Rubichan::default(),
        &(exchanges(5, 40) + "user: on"),
        250,
        &expect![[r#"
            summary: [Summary of 12 earlier messages]\n- did number 1 as the user asked for\n- did number 2 as the user asked for\n- did number 3 as the user asked for\n\n## What the user said\n> do 1\n\n> do 2\n\n> do 3\n\n[Full text of these messages: ref_id="r-d84f95192eea58e5" (use "read_result").]
            user: do 4
            assistant:
              -> c4 read {}
            results:
              c4 = …40…
            assistant: did number 4 as the user asked for
            user: do 5
            assistant:
              -> c5 read {}
            results:
              c5 = …40…
            assistant: did number 5 as the user asked for
            user: on
            keep r-d84f95192eea58e5 conversation: 945 bytes
            compacted 21 → 10 messages, 261 → 159 tokens (summarization); 159 rewritten
        "#]],
    );
}

#[test]
fn nineteen_messages_are_not_summarized_but_exchanges_are_dropped() {
    let text = exchanges(4, 40) + "user: on\nassistant: yes\nuser: on";
    check(
        Rubichan::default(),
        &text,
        200,
        &expect![[r#"
            summary: [Messages left out to fit the window: records 1 to 8. Full text: ref_id="r-425956e3c9aee3d9" (use "read_result").]
            user: do 3
            assistant:
              -> c3 read {}
            results:
              c3 = …40…
            assistant: did number 3 as the user asked for
            user: do 4
            assistant:
              -> c4 read {}
            results:
              c4 = …40…
            assistant: did number 4 as the user asked for
            user: on
            assistant: yes
            user: on
            keep r-425956e3c9aee3d9 conversation: 628 bytes
            compacted 19 → 12 messages, 211 → 123 tokens (truncation); 123 rewritten
        "#]],
    );
}

// S3-29
#[test]
fn the_model_writes_the_summary() {
    let mut summarizer = MockSummarizer::new();
    summarizer.expect_summarize().times(1).returning(|request| {
        assert_eq!(request.entries.len(), 12);
        Ok(Prose::by_rule("Things were done.\n\n## Now\n- on\n\n## Done\n- all"))
    });
    let text = exchanges(5, 40) + "user: on";
    let done = compact_by(
        &compactor(Rubichan::default(), Some(Arc::new(summarizer))),
        &view(&text),
        250,
        0,
        Some(237),
    );
    let first = done.expect("it shrinks").view.entries().first().map(|entry| entry.message.text());
    assert!(
        first.is_some_and(|text| text.starts_with("[Summary of 12 earlier messages]\nThings were done."))
    );
}

// S3-29
#[test]
fn an_answer_that_is_not_smaller_is_rejected() {
    let mut summarizer = MockSummarizer::new();
    summarizer
        .expect_summarize()
        .returning(|_| Ok(Prose::by_rule(format!("## Now\n## Done\n{}", words(900)))));
    let text = exchanges(5, 40) + "user: on";
    let done = compact_by(
        &compactor(Rubichan::default(), Some(Arc::new(summarizer))),
        &view(&text),
        250,
        0,
        Some(237),
    )
    .expect("the rule takes its place");
    let lost: Vec<String> =
        done.degraded.iter().map(|lost| format!("{}: {}", lost.subsystem, lost.cause)).collect();
    expect!["summarizer: the summary has 904 tokens, the messages have 156"].assert_eq(&lost.join("\n"));
}

#[test]
fn the_prose_of_an_earlier_summary_stays() {
    let compactor = compactor(Rubichan::default(), None);
    let mut view = view(&(exchanges(5, 40) + "user: on"));
    let mut prose = Vec::new();
    for round in 1..=2 {
        let done = compact_by(&compactor, &view, 250, 0, Some(237)).expect("it shrinks");
        view = appended(&view, &done);
        let text = view.entries().first().map(|entry| entry.message.text()).unwrap_or_default();
        prose.push(text.split("\n\n").next().unwrap_or_default().to_owned());
        let more = format!("assistant: yes\n{}user: on", exchanges(4, 20).replace('c', &format!("c{round}")));
        for mut record in records(&more) {
            record.seq = view.last().next();
            view.apply(&record, &WordCounter).expect("in order");
        }
    }
    expect![[r#"
        [Summary of 12 earlier messages]
        - did number 1 as the user asked for
        - did number 2 as the user asked for
        - did number 3 as the user asked for
        ---
        [Summary of 16 earlier messages]
        - did number 2 as the user asked for
        - did number 3 as the user asked for
        - did number 4 as the user asked for
        - did number 5 as the user asked for
        - did number 1 as the user asked for"#]]
    .assert_eq(&prose.join("\n---\n"));
}
