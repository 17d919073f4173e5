//! The chain as a whole: order, figures, failures, breaker.

use std::sync::Arc;

use async_trait::async_trait;
use expect_test::expect;
use throughline_conversation::{
    ExchangeId, Mark, Millis, Pin, PinnedText, Record, RecordBody, Seq, Span, ToolOrigin, project,
};
use throughline_testkit::{WordCounter, records, view};

use super::*;
use crate::testing::{appended, compact, rendered, small, with_summaries, words};
use crate::{ToolClearing, compact_context_tool};

fn long() -> View {
    let step = |n: usize| {
        format!(
            "assistant: reading {n}\n  -> c{n} read {{\"path\":\"f{n}.rs\"}}\nresults:\n  c{n} = {}\n",
            words(80)
        )
    };
    view(&format!("user: go\n{}assistant: done\nuser: and again", (1..=6).map(step).collect::<String>()))
}

#[derive(Debug)]
struct Broken;

#[async_trait]
impl Strategy for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, _plan: &Plan<'p>) -> Result<(), StrategyError> {
        draft.clear_result("c1", "gone".to_owned(), draft.clone().keep("x", b"y"));
        draft.settle()?;
        Err(StrategyError::Other("it broke".into()))
    }
}

#[derive(Debug)]
struct Orphaning;

#[async_trait]
impl Strategy for Orphaning {
    fn name(&self) -> &'static str {
        "orphaning"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, _plan: &Plan<'p>) -> Result<(), StrategyError> {
        draft.cover(Span::one(Seq(2)), "the call".to_owned(), None);
        Ok(())
    }
}

#[derive(Debug)]
struct Impossible;

#[async_trait]
impl Strategy for Impossible {
    fn name(&self) -> &'static str {
        "impossible"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, _plan: &Plan<'p>) -> Result<(), StrategyError> {
        let stored = draft.keep("x", b"y");
        draft.clear_result("unknown", "gone".to_owned(), stored);
        Ok(())
    }
}

// S3-22 S3-29
#[test]
fn the_result_tells_figures_and_strategies() {
    let done = compact(&Compactor::new(small(), None), &long(), 1_000, Goal::Deep).expect("it shrinks");
    expect![[r#"
        CompactResult {
            before_tokens: 508,
            after_tokens: 101,
            before_messages: 15,
            after_messages: 3,
            strategies_run: [
                "tool_clearing",
                "summary",
            ],
            rewritten_tokens: 101,
        }"#]]
    .assert_eq(&format!("{:#?}", done.result));
    expect!["compacted 15 → 3 messages, 508 → 101 tokens (tool_clearing, summary)"]
        .assert_eq(&done.result.to_string());
    assert_eq!(done.edit.strategies, done.result.strategies_run);
}

// S3-21
#[test]
fn a_compaction_says_whether_it_really_reduced() {
    let mut result =
        compact(&Compactor::new(small(), None), &long(), 1_000, Goal::Deep).expect("it shrinks").result;
    assert!(result.really_reduced());
    (result.after_tokens, result.after_messages) = (result.before_tokens, result.before_messages);
    assert!(!result.really_reduced());
}

#[test]
fn the_chain_stops_when_the_aim_is_reached() {
    let policy = CompactionPolicy { target: crate::TargetSize { fraction: 1.0, tokens: 300 }, ..small() };
    let done = compact(&Compactor::new(policy, None), &long(), 1_000, Goal::Deep).expect("it shrinks");
    assert_eq!(done.result.strategies_run, ["tool_clearing"]);
    assert!(done.result.after_tokens <= 300);
}

#[test]
fn the_candidate_is_what_a_resume_sees() {
    let view = long();
    let before = view.clone();
    let done = compact(&Compactor::new(small(), None), &view, 1_000, Goal::Deep).expect("it shrinks");
    assert_eq!(done.view, view.edited(&done.edit, &WordCounter).expect("it fits"));
    assert_eq!(done.view.entries(), appended(&view, &done).entries());
    assert_eq!(view, before);
}

#[test]
fn a_failing_strategy_is_undone_and_the_next_is_tried() {
    let chain: Vec<Arc<dyn Strategy>> =
        vec![Arc::new(Broken), Arc::new(Impossible), Arc::new(Orphaning), Arc::new(ToolClearing)];
    let done =
        compact(&Compactor::with_strategies(small(), chain), &long(), 1_000, Goal::Deep).expect("it shrinks");
    let clean = compact(
        &Compactor::with_strategies(small(), vec![Arc::new(ToolClearing)]),
        &long(),
        1_000,
        Goal::Deep,
    )
    .expect("it shrinks");
    assert_eq!(done.edit, clean.edit);
    assert_eq!(done.keep, clean.keep);
    let lines: Vec<String> =
        done.degraded.iter().map(|lost| format!("{}: {}", lost.subsystem, lost.cause)).collect();
    expect![[r#"
        strategy broken: the strategy failed
        strategy impossible: the strategy made an edit that does not fit the view
        strategy orphaning: it would make the conversation invalid: message 2: result for c1 answers no call of the message before"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn breaking_rules_is_an_error_when_nothing_else_works() {
    let compactor = Compactor::with_strategies(small(), vec![Arc::new(Orphaning)]);
    expect![[r#"
        error: compacting would make the conversation invalid: message 2: result for c1 answers no call of the message before
    "#]].assert_eq(&rendered(compact(&compactor, &long(), 1_000, Goal::Deep)));
}

#[test]
fn three_failures_pause_deep_compactions() {
    let compactor = Compactor::with_strategies(small(), vec![Arc::new(Broken)]);
    for _ in 0..3 {
        assert!(!compactor.breaker_open());
        let error = compact(&compactor, &long(), 1_000, Goal::Deep).expect_err("nothing shrinks");
        assert_eq!(error.to_string(), "compaction failed: it broke");
    }
    assert!(compactor.breaker_open());
    expect![[r#"
        error: compaction is paused after 3 failures in a row; reset it to try again
    "#]]
    .assert_eq(&rendered(compact(&compactor, &long(), 1_000, Goal::Deep)));
    // What must fit is tried all the same.
    let error = compact(&compactor, &long(), 1_000, Goal::MustFit(100)).expect_err("nothing shrinks");
    assert!(matches!(error, CompactionError::DoesNotFit { .. }), "{error}");
    compactor.reset_breaker();
    assert!(!compactor.breaker_open());
}

#[test]
fn a_success_closes_the_breaker() {
    let compactor = Compactor::new(CompactionPolicy { minimum_gain: 2.0, ..small() }, None);
    for _ in 0..3 {
        assert!(compact(&compactor, &long(), 1_000, Goal::Deep).is_err());
    }
    assert!(compactor.breaker_open());
    assert!(compact(&compactor, &long(), 1_000, Goal::MustFit(400)).is_ok());
    assert!(!compactor.breaker_open());
}

#[test]
fn a_view_at_its_target_is_refused_without_being_counted() {
    let compactor = Compactor::new(CompactionPolicy { max_failures: 1, ..small() }, None);
    let error = compact(&compactor, &view("user: hi"), 1_000, Goal::Deep).expect_err("it is small");
    assert_eq!(
        error.to_string(),
        "nothing to compact: it would only go from 1 to 1 tokens and invalidate the prompt cache"
    );
    assert!(!compactor.breaker_open());
}

#[test]
fn a_deep_compaction_that_stays_above_the_room_drops_exchanges() {
    let exchange = |n: usize| format!("user: {} request {n}\nassistant: {}\n", words(40), words(40));
    let text = (1..=12).map(exchange).collect::<String>() + "user: last";
    let policy = CompactionPolicy { protect_steps: 100, ..small() };
    let done = compact(&Compactor::new(policy, None), &view(&text), 900, Goal::Deep).expect("it shrinks");
    assert!(done.result.after_tokens <= 900, "{}", done.result);
}

// S3-24
#[test]
fn the_tool_takes_no_arguments() {
    let tool = compact_context_tool();
    assert_eq!((tool.name.as_str(), tool.origin), ("compact_context", ToolOrigin::Builtin));
    assert_eq!(tool.input_schema["properties"], serde_json::json!({}));
    assert!(tool.description.contains("read_result"), "{}", tool.description);
}

/// Compacts on the user's request.
fn requested(
    compactor: &Compactor,
    view: &View,
    instructions: Option<&str>,
) -> Result<Compacted, CompactionError> {
    let session = crate::testing::session();
    let job = CompactionJob {
        goal: Goal::Requested,
        instructions,
        ..CompactionJob::new(&session, view, &WordCounter, 1_000)
    };
    crate::testing::wait(compactor.compact(&job))
}

#[test]
fn the_users_instructions_reach_the_model_even_if_clearing_results_were_enough() {
    let mut summarizer = crate::MockSummarizer::new();
    summarizer
        .expect_summarize()
        .withf(|request| request.prompt.contains("keep names"))
        .returning(|_| Ok(crate::Prose::by_model("## Done\nread\n## Now\nnothing\n## Next\nnothing", "m")));
    let compactor = Compactor::new(small(), Some(Arc::new(summarizer)));
    let plain = requested(&compactor, &long(), None).unwrap();
    assert_eq!(plain.result.strategies_run.first().map(String::as_str), Some("tool_clearing"));
    let instructed = requested(&compactor, &long(), Some("keep names")).unwrap();
    assert_eq!(instructed.result.strategies_run.first().map(String::as_str), Some("summary"));
}

#[test]
fn a_compaction_that_the_user_asks_for_is_never_refused_for_its_price() {
    let policy = CompactionPolicy { minimum_gain: 0.99, ..small() };
    let compactor = Compactor::new(policy, None);
    assert!(compact(&compactor, &long(), 1_000, Goal::Deep).is_err());
    let done = requested(&compactor, &long(), None).unwrap();
    assert!(done.result.after_tokens < done.result.before_tokens);
}

#[test]
fn a_compaction_that_the_user_asks_for_takes_in_steps_that_are_protected_otherwise() {
    let policy = CompactionPolicy { protect_steps: 10, ..small() };
    let compactor = Compactor::new(policy, None);
    assert!(compact(&compactor, &long(), 2_000, Goal::Deep).is_err());
    let done = requested(&compactor, &long(), None).unwrap();
    assert!(done.result.after_tokens < done.result.before_tokens / 2);
}

/// Replaces everything by this many words.
#[derive(Debug)]
struct Into(usize);

#[async_trait]
impl Strategy for Into {
    fn name(&self) -> &'static str {
        "into"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, _plan: &Plan<'p>) -> Result<(), StrategyError> {
        draft.cover(Span::one(Seq(1)), words(self.0), None);
        Ok(())
    }
}

/// What becomes of a view of 100 tokens: the tokens after these strategies, or the error.
fn after(sizes: &[usize], goal: Goal) -> String {
    let strategies = sizes.iter().map(|size| Arc::new(Into(*size)) as Arc<dyn Strategy>).collect();
    let compactor = Compactor::with_strategies(small(), strategies);
    match compact(&compactor, &view(&format!("user: {}", words(100))), 1_000, goal) {
        Ok(done) => format!("{} by {}", done.result.after_tokens, done.result.strategies_run.len()),
        Err(CompactionError::NothingToGain { after, .. }) => format!("nothing to gain: {after}"),
        Err(CompactionError::DoesNotFit { smallest, allowed, .. }) => format!("{smallest} > {allowed}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn strategies_run_until_the_aim_is_reached_and_count_if_they_gain() {
    // The target is 30.
    for (sizes, expected) in [
        (vec![30, 10], "30 by 1"),
        (vec![31, 10], "10 by 2"),
        (vec![100, 60], "60 by 1"),
        (vec![50, 60], "50 by 1"),
        (vec![90], "90 by 1"),
        (vec![91], "nothing to gain: 91"),
        (vec![], "nothing to gain: 100"),
    ] {
        assert_eq!(after(&sizes, Goal::Deep), expected, "{sizes:?}");
    }
}

#[test]
fn what_must_fit_has_to_fit_and_to_shrink() {
    for (sizes, goal, expected) in [
        (vec![50], Goal::MustFit(50), "50 by 1"),
        (vec![51], Goal::MustFit(50), "51 > 50"),
        (vec![], Goal::MustFit(99), "100 > 99"),
        (vec![], Goal::MustFit(100), "nothing to gain: 100"),
        (vec![], Goal::MustFit(101), "nothing to gain: 100"),
        (vec![99], Goal::MustFit(200), "99 by 1"),
        (vec![99], Goal::Requested, "99 by 1"),
        (vec![], Goal::Requested, "nothing to gain: 100"),
    ] {
        assert_eq!(after(&sizes, goal), expected, "{sizes:?}, {goal:?}");
    }
}

#[test]
fn without_a_limit_of_failures_the_breaker_stays_closed() {
    let policy = CompactionPolicy { max_failures: 0, ..small() };
    let compactor = Compactor::with_strategies(policy, vec![Arc::new(Broken)]);
    for _ in 0..4 {
        assert!(compact(&compactor, &long(), 1_000, Goal::Deep).is_err());
        assert!(!compactor.breaker_open());
    }
    // Only deep compactions count.
    let policy = CompactionPolicy { max_failures: 1, ..small() };
    let compactor = Compactor::with_strategies(policy, vec![Arc::new(Broken)]);
    assert!(requested(&compactor, &long(), None).is_err() && !compactor.breaker_open());
    assert!(compact(&compactor, &long(), 1_000, Goal::Deep).is_err() && compactor.breaker_open());
}

#[test]
fn only_instructions_of_a_request_change_the_order() {
    let order = |goal, instructions| {
        let compactor = Compactor::new(small(), Some(Arc::new(crate::MockSummarizer::new())));
        let (session, view) = (crate::testing::session(), long());
        let job =
            CompactionJob { goal, instructions, ..CompactionJob::new(&session, &view, &WordCounter, 1_000) };
        compactor.order(&job).map(|strategy| strategy.name()).collect::<Vec<_>>().join(" ")
    };
    let usual = "tool_clearing summary drop_exchanges";
    assert_eq!(order(Goal::Requested, Some("keep names")), "summary tool_clearing drop_exchanges");
    assert_eq!(order(Goal::Requested, Some(" \n")), usual);
    assert_eq!(order(Goal::Requested, None), usual);
    assert_eq!(order(Goal::Deep, Some("keep names")), usual);
}

#[derive(Debug)]
struct Batches;

impl crate::StrategyChain for Batches {
    fn strategies(&self, _summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        Vec::new()
    }

    fn batch_due(&self, _view: &View, fresh: bool) -> bool {
        fresh
    }
}

#[test]
fn a_compactor_says_what_its_policy_and_its_strategies_do() {
    let policy = CompactionPolicy { chain: Arc::new(Batches), strict: true, ..small() };
    let compactor = Compactor::new(policy, None);
    assert!(compactor.policy().strict);
    assert!(compactor.batch_due(&long(), true) && !compactor.batch_due(&long(), false));
    assert!(!Compactor::new(small(), None).batch_due(&long(), true));
    let summarizer = || Some(Arc::new(crate::MockSummarizer::new()) as Arc<dyn Summarizer>);
    assert!(Compactor::new(small(), summarizer()).asks_model());
    assert!(!Compactor::new(small(), None).asks_model());
}

#[test]
fn a_fault_that_was_there_before_is_no_fault_of_the_compaction() {
    let old = view("user: go\nuser: on\nresults:\n  c1 = a");
    let found = |text: &str| {
        let new = view(text);
        new_violations(&old, &new).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(found("user: go\nresults:\n  c1 = a").is_empty());
    assert_eq!(
        found("user: go\nresults:\n  c1 = a\nresults:\n  c1 = a"),
        ["message 2: result for c1 answers no call of the message before"]
    );
    assert_eq!(
        found("user: go\nresults:\n  c2 = a"),
        ["message 1: result for c2 answers no call of the message before"]
    );
}

#[test]
fn what_is_largest_is_said_in_words() {
    let pinned = |tokens: usize| {
        let mut log = records(&format!("user: {}\nassistant: yes", words(10)));
        let texts = vec![PinnedText { message: Seq(1), text: words(tokens) }];
        let body = RecordBody::Mark(Mark::Pin(Pin { number: 1, exchange: ExchangeId(1), texts }));
        log.push(Record { seq: Seq(3), at: Millis(0), exchange: ExchangeId(1), body });
        project(&log, &WordCounter).unwrap()
    };
    let step = format!("user: go\nassistant:\n  -> c1 read {{}}\nresults:\n  c1 = {}", words(1_200));
    for (view, expected) in [
        (view(""), "there is no message"),
        (pinned(5), "10 tokens are in the last request of the user alone"),
        (pinned(6), "the pinned texts have 6 tokens; unpin some of them"),
        (view("user: go\nassistant: one two"), "2 tokens are in the last message of the model alone"),
        (view(&step), "1,200 tokens are in the last tool results alone"),
        (with_summaries("user: so it was\nuser: go", &[0]), "3 tokens are in the summary alone"),
    ] {
        assert_eq!(largest(&view, &WordCounter), expected);
    }
}
