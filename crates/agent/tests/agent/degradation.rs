//! Every subsystem fails in turn; the turn continues, and says what replaced the subsystem.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use throughline_agent::Event;
use throughline_budget::Threshold;
use throughline_completion::Reply;
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{ContentBlock, Degradation, Message, RecordBody, Seq, ToolCall};
use throughline_deferral::{MockToolRanker, RankError};
use throughline_prompt::{PromptSection, SectionError, SectionSource};
use throughline_testkit::render;
use throughline_tools::CancelFlag;

use crate::harness::{Events, World, echo, session, turn};
use crate::steering::Remote;

fn degraded(events: &[Event]) -> Vec<Degradation> {
    let of = |event: &Event| match event {
        Event::Degraded(note) => Some(note.clone()),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

// S3-28
#[tokio::test]
async fn without_a_result_store_a_large_result_is_bounded_inline() {
    let replies = [Reply::Say(vec![echo("c0", 700), echo("c1", 2_000)]), Reply::text("Done.")];
    let world = World::new(20_000, replies);
    world.results.failures().fail_with("disk full");
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Done.");
    let notes = degraded(&events);
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert_eq!(
        (notes[0].subsystem.as_str(), notes[0].fallback.as_str()),
        ("result store", "bounded inline result")
    );
    assert!(notes[0].cause.contains("disk full"), "{notes:?}");
    let shown = render(agent.view().transcript().messages());
    // What an eighth of the free window can hold stays whole, a longer result loses its middle.
    assert!(shown.contains("c0_0 ") && shown.contains("c0_350 ") && shown.contains("c0_699"), "{shown}");
    assert!(shown.contains("c1_0 ") && !shown.contains("c1_1000 ") && shown.contains("c1_1999"), "{shown}");
    // The log has it too.
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    assert!(
        records.iter().any(|record| matches!(&record.body, RecordBody::Degraded(note) if *note == notes[0]))
    );
}

// S3-28
#[tokio::test]
async fn without_a_log_records_wait_in_memory_and_are_written_later() {
    let world =
        World::new(4_000, [Reply::Say(vec![echo("c1", 2)]), Reply::text("One."), Reply::text("Two.")]);
    let mut agent = world.agent().await;
    world.log.failures().fail_with("no space left");
    let (outcome, events) = turn(&mut agent, "First.").await;
    assert_eq!(outcome.unwrap().text, "One.");
    let notes = degraded(&events);
    assert!(
        notes.iter().all(|note| note.subsystem == "log" && note.cause.contains("no space left")),
        "{notes:?}"
    );
    assert!(
        !events.iter().any(|event| matches!(event, Event::Acknowledged { .. })),
        "nothing may be called durable"
    );
    world.log.failures().recover();
    let (outcome, events) = turn(&mut agent, "Second.").await;
    assert_eq!(outcome.unwrap().text, "Two.");
    assert!(degraded(&events).is_empty());
    drop(agent);
    let again = world.agent().await;
    let shown = render(again.view().transcript().messages());
    assert!(
        shown.starts_with("user: First.\n") && shown.ends_with("user: Second.\nassistant: Two.\n"),
        "{shown}"
    );
}

#[tokio::test]
async fn where_calls_need_the_log_none_runs_without_it_and_the_turn_ends_by_name() {
    let replies = [Reply::Say(vec![echo("c1", 2)]), Reply::text("Two.")];
    let world = World::new(4_000, replies);
    let mut agent = world.builder().calls_need_log().open(session()).await.unwrap();
    world.log.failures().fail_with("no space left");
    let (outcome, events) = turn(&mut agent, "First.").await;
    let error = outcome.unwrap_err();
    assert_eq!(error.kind(), "unsaved", "{error}");
    let is_run = |event: &Event| matches!(event, Event::ToolFinished { is_error: false, .. });
    assert!(!events.iter().any(is_run), "{events:?}");
    world.log.failures().recover();
    let (outcome, _) = turn(&mut agent, "Second.").await;
    assert_eq!(outcome.unwrap().text, "Two.");
    drop(agent);
    let shown = render(world.agent().await.view().transcript().messages());
    assert!(shown.contains("was not run") && shown.contains("user: Second."), "{shown}");
}

// S3-28 S3-20
#[tokio::test]
async fn without_snapshots_a_resume_reads_the_whole_log() {
    let mut replies: Vec<Reply> = (0..12).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.push(Reply::text("Done."));
    let world = World::new(3_500, replies);
    world.snapshots.failures().fail_with("read only");
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let notes = degraded(&events);
    assert!(!notes.is_empty() && notes.iter().all(|note| note.subsystem == "snapshot store"), "{notes:?}");
    let before = render(agent.view().transcript().messages());
    drop(agent);
    let again = world.agent().await;
    assert_eq!(render(again.view().transcript().messages()), before);
    assert!(again.rebuilt().is_some());
}

/// Works a number of times, then fails in the given way.
#[derive(Debug)]
struct Flaky {
    works: std::sync::atomic::AtomicI32,
    broken: bool,
}

#[async_trait]
impl SectionSource for Flaky {
    fn name(&self) -> String {
        "flaky".to_owned()
    }

    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError> {
        if self.works.fetch_sub(1, std::sync::atomic::Ordering::SeqCst) > 0 {
            return Ok(vec![PromptSection::project("flaky", "Mind the gap.")]);
        }
        let message = "the file is locked".to_owned();
        Err(if self.broken {
            SectionError::Other(message.into())
        } else {
            SectionError::Unavailable { message }
        })
    }
}

// S3-28
#[tokio::test]
async fn a_failing_section_is_left_out_or_shown_unchanged() {
    for (works, broken, fallback, shown) in [
        (1, false, "section source \"flaky\" is shown unchanged", 2),
        (0, false, "section source \"flaky\" is left out", 1),
        (0, true, "section source \"flaky\" is left out", 1),
    ] {
        let world = World::new(4_000, [Reply::text("One."), Reply::text("Two.")]);
        let source = Flaky { works: works.into(), broken };
        let mut agent = world.builder().section(Arc::new(source)).open(session()).await.unwrap();
        turn(&mut agent, "First.").await.0.unwrap();
        let (outcome, events) = turn(&mut agent, "Second.").await;
        outcome.unwrap();
        let notes = degraded(&events);
        assert_eq!(notes[0].fallback, fallback);
        assert_eq!(world.model.requests().last().unwrap().system.len(), shown);
    }
}

// S3-28
#[tokio::test]
async fn when_the_tool_search_fails_every_tool_is_shown() {
    let search =
        ToolCall { id: "s1".to_owned(), name: "tool_search".to_owned(), input: json!({ "query": "x" }) };
    let replies = [Reply::Say(vec![ContentBlock::ToolCall(search), echo("c1", 1)]), Reply::text("Done.")];
    let mut world = World::new(4_000, replies);
    let remote: Vec<String> = (0..12).map(|number| format!("remote_{number}")).collect();
    for name in &remote {
        world.tools.push(Arc::new(Remote(name.clone())));
    }
    let mut ranker = MockToolRanker::new();
    ranker.expect_rank().returning(|_, _, _| Err(RankError::Other("index broken".into())));
    let mut agent = world.builder().ranker(Arc::new(ranker)).open(session()).await.unwrap();
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let requests = world.model.requests();
    let described = |request: usize| {
        let tools = &requests[request].tools;
        remote.iter().filter(|name| tools.iter().any(|tool| tool.name == **name)).count()
    };
    assert!(described(0) < remote.len(), "nothing was deferred");
    assert_eq!(described(1), remote.len());
    let notes = degraded(&events);
    assert_eq!(
        (notes[0].subsystem.as_str(), notes[0].fallback.as_str()),
        ("tool search", "every tool is described")
    );
    let shown = render(agent.view().transcript().messages());
    assert!(
        shown.contains("s1 ! ") && shown.contains("index broken") && shown.contains("c1 = c1_0"),
        "{shown}"
    );
}

// S3-28
#[tokio::test]
async fn a_compaction_that_cannot_store_changes_nothing_until_it_must() {
    let mut replies: Vec<Reply> = (0..6).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.push(Reply::text("Done."));
    let mut world = World::new(3_500, replies);
    world.settings.thresholds.compact = Threshold::PercentEffective(40.0);
    world.settings.thresholds.notice = Threshold::Off;
    world.results.failures().fail_with("disk full");
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let refused = events.iter().any(|event| {
        matches!(event, Event::NotCompacted { why } if why.contains("could not be stored") && why.contains("disk full"))
    });
    assert!(refused, "{events:?}");
    assert_eq!(world.model.requests().len(), 7, "no request was refused");
    assert!(agent.view().violations().len() <= 1);
}

#[tokio::test]
async fn a_session_continues_after_calls_that_a_crash_interrupted() {
    let world = World::new(4_000, [Reply::text("Again.")]);
    let records = throughline_testkit::records(
        "user: go\nassistant: hm\n  -> c1 echo {\"words\":3}\n  -> c2 echo {\"words\":3}",
    );
    world.log.append(&session(), &records).await.unwrap();
    let mut agent = world.agent().await;
    let outcome = agent.continue_turn(&Events::default(), &CancelFlag::new()).await.unwrap().unwrap();
    assert_eq!(outcome.text, "Again.");
    let cut = "[no result: the call was cut off before the tool answered]";
    let wanted = format!(
        "user: go\nassistant: hm\n  -> c1 echo {{\"words\":3}}\n  -> c2 echo {{\"words\":3}}\nresults:\n  c1 ! {cut}\n  c2 ! {cut}\nassistant: Again.\n"
    );
    assert_eq!(render(agent.view().transcript().messages()), wanted);
    let nothing = agent.continue_turn(&Events::default(), &CancelFlag::new()).await.unwrap();
    assert_eq!(nothing, None, "the last word was the model's");
    turn(&mut agent, "Thanks.").await.0.unwrap();
    assert!(matches!(agent.view().transcript().messages().last(), Some(Message { .. })));
}
