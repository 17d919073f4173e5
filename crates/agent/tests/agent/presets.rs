//! What a session looks like under the strategy chains of the policies.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::{Event, Recount, TurnError};
use throughline_budget::{Threshold, Thresholds};
use throughline_compaction::{
    CompactionPolicy, Prose, StrategyChain, Summarizer, SummaryError, SummaryRequest,
};
use throughline_completion::{ModelInfo, Reply, ScriptedModel};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{EditReason, EntryKind, RecordBody, Seq};
use throughline_policies::{Dex, Slop, Vibe};
use throughline_resultstore::OffloadPolicy;
use throughline_testkit::WordCounter;

use crate::harness::{self, World, echo, session, turn};

/// What a model writes that is asked for a summary.
const SUMMARY: &str = "1. User's Primary Goals and Intent\n   - to go\n\n3. Technical Context and Decisions\n\n\
                       7. Immediate Next Step\n   - go";

/// A world of 10,000 words with this chain: no note to the model, nothing stored at once.
fn world(chain: impl StrategyChain + 'static, thresholds: Thresholds, replies: Vec<Reply>) -> World {
    let mut world = World::new(10_000, replies);
    world.settings.max_output_tokens = 100;
    world.settings.thresholds = Thresholds { notice: Threshold::Off, ..thresholds };
    world.settings.offload = OffloadPolicy { threshold_bytes: usize::MAX, ..OffloadPolicy::seed() };
    world.settings.compaction =
        CompactionPolicy { chain: Arc::new(chain), minimum_gain: 0.0, ..CompactionPolicy::default() };
    world
}

fn steps(count: usize, words: usize) -> Vec<Reply> {
    let mut replies: Vec<Reply> =
        (0..count).map(|i| Reply::Say(vec![echo(&format!("c{i}"), words)])).collect();
    replies.push(Reply::text("Done."));
    replies
}

/// What was logged, and `sent` for each request.
fn reported(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| match event {
        Event::Log(line) => Some(line.clone()),
        Event::Sent { .. } => Some("sent".to_owned()),
        Event::NotCompacted { why } => Some(format!("not compacted: {why}")),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

fn reasons(events: &[Event]) -> Vec<EditReason> {
    let of = |event: &Event| match event {
        Event::Compacted(receipt) => Some(receipt.reason.clone()),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn by_tens() -> Thresholds {
    Thresholds {
        warn: Threshold::PercentWindow(80.0),
        compact: Threshold::PercentWindow(90.0),
        ..Thresholds::default()
    }
}

// S0-07 S0-20 S0-21 S0-22 S0-42
#[tokio::test]
async fn thresholds_and_removals_are_logged() {
    let world = world(Dex::default(), by_tens(), steps(70, 300));
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let reported = reported(&events);
    let logged: Vec<&String> = reported.iter().filter(|line| *line != "sent").collect();
    assert_eq!(logged[0], "context at 81%, approaching limit");
    assert_eq!(logged[1], "context at 90%, triggering compaction");
    assert!(
        logged[2].starts_with("compaction: removed 50% of tool responses, 9")
            && logged[2].ends_with(" tokens"),
        "{logged:?}"
    );
    // The warning comes once on the way up, never with a compaction, and again after the window was emptied.
    for (index, line) in reported.iter().enumerate().filter(|(_, line)| line.ends_with("approaching limit")) {
        assert_eq!(reported.get(index + 1).map(String::as_str), Some("sent"), "{line}");
    }
    let warned = reported.iter().filter(|line| line.ends_with("approaching limit")).count();
    let removed = reported.iter().filter(|line| line.starts_with("compaction: removed")).count();
    assert!(removed >= 2 && (warned == removed || warned == removed + 1), "{reported:?}");
    assert!(world.model.requests().iter().all(|request| request.tail.is_empty()), "the model sees no note");

    // The receipts keep the lines.
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let decisions: Vec<String> = records
        .iter()
        .filter_map(|record| match &record.body {
            RecordBody::Receipt(receipt) => Some(receipt.decisions.iter().map(|one| one.what.clone())),
            _ => None,
        })
        .flatten()
        .collect();
    for line in logged {
        assert!(decisions.contains(line), "{line}");
    }
}

// S0-20 S0-21
#[tokio::test]
async fn a_compaction_before_a_message_is_accepted_is_logged_as_any_other() {
    let mut replies = steps(27, 300);
    // The last answer fills the window; nothing is asked for between it and the next message.
    replies.pop();
    replies.extend([Reply::text("word ".repeat(1_000)), Reply::text("Again.")]);
    let mut world = world(Dex::default(), by_tens(), replies);
    world.settings.thresholds.block = Threshold::PercentWindow(90.0);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let (outcome, events) = turn(&mut agent, "Again.").await;
    outcome.unwrap();
    let reported = reported(&events);
    assert_eq!(reported[0], "context at 90%, triggering compaction", "{reported:?}");
    assert!(reported[1].starts_with("compaction: removed 50% of tool responses"), "{reported:?}");
}

// S0-22
#[tokio::test]
async fn the_warning_comes_once_although_each_message_has_a_process_of_its_own() {
    let replies: Vec<Reply> = (0..60).map(|_| Reply::text(["word"; 150].join(" "))).collect();
    let world = world(Dex::default(), by_tens(), replies);
    let mut warned = 0;
    for number in 0..60 {
        let mut agent = world.agent().await;
        let (outcome, events) = turn(&mut agent, &format!("Say {number}.")).await;
        outcome.unwrap();
        let reported = reported(&events);
        warned += reported.iter().filter(|line| line.ends_with("approaching limit")).count();
        if reported.iter().any(|line| line.ends_with("triggering compaction")) {
            assert_eq!(warned, 1);
            return;
        }
        agent.close(&harness::Events::default()).await;
    }
    panic!("no compaction");
}

#[derive(Debug)]
struct Failing;

#[async_trait]
impl Summarizer for Failing {
    async fn summarize<'r>(&self, _request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        Err(SummaryError::Other("no model today".into()))
    }
}

/// Writes what cannot be used.
#[derive(Debug)]
struct Useless;

#[async_trait]
impl Summarizer for Useless {
    async fn summarize<'r>(&self, _request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        Ok(Prose::by_model("I work on.", "m"))
    }
}

// S2-06
#[tokio::test]
async fn each_summary_that_cannot_be_used_fails_and_none_is_made_by_rule() {
    let mut replies = steps(28, 310);
    replies.extend((0..5).map(|_| Reply::text("Yes.")));
    let mut world = world(Vibe::default(), by_tens(), replies);
    world.settings.compaction.max_failures = 0;
    let mut agent = world.builder().summarizer(Arc::new(Useless)).open(session()).await.unwrap();
    let mut whys = Vec::new();
    for text in ["Go.", "And?", "And now?", "And then?", "Well?"] {
        let (outcome, events) = turn(&mut agent, text).await;
        outcome.unwrap();
        assert_eq!(reasons(&events), [], "nothing has changed");
        whys.extend(reported(&events).into_iter().filter(|line| line.starts_with("not compacted")));
    }
    let failed = |why: &str| format!("not compacted: compaction failed: {why}");
    let lacks = failed("the summary lacks the heading \"Technical Context\"");
    assert!(whys.len() > 3, "{whys:?}");
    assert_eq!(whys[..3], [lacks.clone(), lacks.clone(), lacks]);
    assert_eq!(whys[3], failed("the last answers of the summarizer could not be used"));
}

// S0-23
#[tokio::test]
async fn where_it_is_strict_a_compaction_that_fails_ends_the_turn() {
    for strict in [true, false] {
        let mut world = world(Vibe::default(), by_tens(), steps(29, 310));
        world.settings.compaction.strict = strict;
        let mut agent = world.builder().summarizer(Arc::new(Failing)).open(session()).await.unwrap();
        let (outcome, events) = turn(&mut agent, "Go.").await;
        let cause = "compaction failed: the summarizer failed: no model today";
        if strict {
            let error = outcome.unwrap_err();
            assert!(matches!(error, TurnError::Compaction(_)), "{error:?}");
            assert_eq!(error.to_string(), cause);
        } else {
            outcome.unwrap();
            assert!(
                reported(&events).contains(&format!("not compacted: {cause}")),
                "{:?}",
                reported(&events)
            );
        }
        assert_eq!(reasons(&events), [], "nothing has changed");
    }
}

// S2-02 S2-08 S2-14 S2-15
#[tokio::test]
async fn one_summary_replaces_everything_and_the_turn_continues() {
    let mut world = world(Vibe::default(), by_tens(), steps(31, 310));
    world.settings.recount = Recount::Probe;
    let info = ModelInfo::with_window("writer", 100_000, 1_000);
    let answers = [Reply::text(SUMMARY)];
    let writer = Arc::new(ScriptedModel::new(info, Box::new(WordCounter), answers).recording());
    let summarizer = harness::summarizer(writer.clone());
    let mut agent = world.builder().summarizer(summarizer).open(session()).await.unwrap();
    let (outcome, events) = turn(&mut agent, "Go, and go far.").await;
    outcome.unwrap();
    assert_eq!(reasons(&events), [EditReason::CompactThreshold], "inside the tool loop");
    let first = agent.view().entries().first().unwrap();
    assert_eq!(first.kind, EntryKind::Summary);
    let text = first.message.text();
    assert!(text.starts_with("1. User's Primary Goals and Intent"), "{text}");
    assert!(text.ends_with("\n\nLast request from user was: Go, and go far."), "{text}");
    let after = world.model.requests().into_iter().find(|request| {
        request.transcript.entries().first().is_some_and(|entry| entry.kind == EntryKind::Summary)
    });
    assert_eq!(after.unwrap().transcript.len(), 1, "system prompt and summary, nothing else");
    let asked = writer.requests()[0].transcript.entries()[0].message.text();
    assert!(asked.starts_with("Provide a detailed but concise summary of our conversation."), "{asked}");
    assert!(asked.contains("[user]\nGo, and go far.\n[assistant]\ncall echo"), "{asked}");
}

// S0-28
#[tokio::test]
async fn a_prompt_that_holds_the_history_is_sent_alone() {
    let info = ModelInfo::with_window("writer", 10_000, 1_000);
    let writer = Arc::new(ScriptedModel::new(info, Box::new(WordCounter), [Reply::text("so")]).recording());
    let request = SummaryRequest {
        entries: &[],
        previous: None,
        budget: 100,
        prompt: "[user]: go",
        counter: &WordCounter,
        prefix: None,
        spending: None,
        checks: None,
    };
    harness::summarizer(writer.clone()).summarize(&request).await.unwrap();
    assert_eq!(writer.requests()[0].transcript.entries()[0].message.text(), "[user]: go");
}

// S4-06
#[tokio::test]
async fn tiers_are_cut_in_batches() {
    let mut replies = steps(12, 300);
    replies.extend(steps(1, 300));
    let off = Thresholds { compact: Threshold::Off, ..Thresholds::default() };
    let world = world(Slop::default(), off, replies);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    // At the tenth result; after that the request only grows.
    assert_eq!(reasons(&events), [EditReason::Early]);
    let (outcome, events) = turn(&mut agent, "And on.").await;
    outcome.unwrap();
    assert_eq!(reasons(&events), [EditReason::Early], "at the new message");
    let requests = world.model.requests();
    let grows = |pair: &[_]| {
        let [old, new]: &[throughline_completion::CompletionRequest; 2] = pair.try_into().unwrap();
        new.transcript.common_prefix(&old.transcript) == old.transcript.len()
    };
    let rewritten = requests.windows(2).filter(|pair| !grows(pair)).count();
    assert_eq!(rewritten, 2, "of {} requests", requests.len());
    let last = requests.last().unwrap().transcript.entries();
    let results: Vec<usize> = last
        .iter()
        .flat_map(|entry| entry.message.tool_results())
        .map(|result| result.content.chars().count())
        .collect();
    assert!(results.iter().take(12).all(|size| *size < 300 + 150), "{results:?}");
    assert!(results.last().is_some_and(|size| *size > 1_000), "{results:?}");
}
