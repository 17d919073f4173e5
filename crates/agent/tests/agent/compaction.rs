//! When the engine compacts, and that it always ends somewhere.

use throughline_agent::{Event, TurnError};
use throughline_budget::Threshold;
use throughline_completion::{ModelError, Reply};
use throughline_conversation::{EditReason, EntryKind};

use crate::harness::{Events, World, echo, turn};

fn steps(count: usize, words: usize) -> Vec<Reply> {
    let mut replies: Vec<Reply> =
        (0..count).map(|i| Reply::Say(vec![echo(&format!("c{i}"), words)])).collect();
    replies.push(Reply::text("Done."));
    replies
}

fn reasons(events: &[Event]) -> Vec<EditReason> {
    let of = |event: &Event| match event {
        Event::Compacted(receipt) => Some(receipt.reason.clone()),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

// S3-04 S3-05 S3-21
#[tokio::test]
async fn the_compact_threshold_compacts_and_saves_a_snapshot() {
    let mut world = World::new(10_000, steps(30, 300));
    world.settings.thresholds.compact = Threshold::PercentEffective(60.0);
    world.settings.thresholds.notice = Threshold::Off;
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let reasons = reasons(&events);
    assert!(
        !reasons.is_empty() && reasons.iter().all(|reason| *reason == EditReason::CompactThreshold),
        "{reasons:?}"
    );
    let saved = events.iter().filter(|event| matches!(event, Event::SnapshotSaved { .. })).count();
    assert_eq!(saved, reasons.len(), "a snapshot after every compaction");
}

// S3-06
#[tokio::test]
async fn at_the_block_threshold_nothing_is_accepted_before_the_view_has_shrunk() {
    let mut world = World::new(10_000, steps(30, 300));
    world.settings.thresholds.compact = Threshold::Off;
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let reasons = reasons(&events);
    assert!(
        !reasons.is_empty() && reasons.iter().all(|reason| *reason == EditReason::BlockThreshold),
        "{reasons:?}"
    );
    for request in world.model.requests() {
        let used: u64 = request.transcript.entries().iter().map(|entry| entry.tokens).sum();
        assert!(used < 8_820, "98 percent of the effective window of 9,000: {used}");
    }
    assert!(!agent.is_blocked());
}

// S3-06
#[tokio::test]
async fn a_message_is_accepted_after_the_view_has_shrunk_below_the_block_threshold() {
    let mut replies = steps(20, 300);
    replies.pop();
    replies.extend([Reply::text("word ".repeat(3_000)), Reply::text("Yes.")]);
    let mut world = World::new(10_000, replies);
    world.settings.thresholds.compact = Threshold::Off;
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    assert!(agent.is_blocked());
    let (outcome, events) = turn(&mut agent, "Ready?").await;
    assert_eq!(outcome.unwrap().text, "Yes.");
    let compacted = events.iter().position(|event| matches!(event, Event::Compacted(_))).unwrap();
    let accepted = events.iter().position(|event| matches!(event, Event::Accepted { .. })).unwrap();
    assert!(compacted < accepted);
    assert_eq!(reasons(&events), [EditReason::BlockThreshold]);
}

// S3-25
#[tokio::test]
async fn the_context_note_comes_once_per_crossing_and_in_no_later_request() {
    let mut world = World::new(10_000, steps(24, 300));
    world.settings.thresholds.compact = Threshold::Off;
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let requests = world.model.requests();
    let noted: Vec<usize> = (0..requests.len()).filter(|index| !requests[*index].tail.is_empty()).collect();
    assert!(!noted.is_empty());
    let note = &requests[noted[0]].tail[0];
    assert!(
        note.starts_with("[Context: 8") && note.ends_with("continuing with large operations.]"),
        "{note}"
    );
    for pair in noted.windows(2) {
        let dropped = requests[pair[0]..pair[1]]
            .windows(2)
            .any(|two| two[1].transcript.len() < two[0].transcript.len());
        assert!(dropped, "noted again without having dropped in between: {noted:?}");
    }
}

#[tokio::test]
async fn a_new_user_message_allows_an_early_compaction() {
    let mut replies = steps(20, 300);
    replies.push(Reply::text("Yes."));
    let mut world = World::new(10_000, replies);
    world.settings.early = Threshold::PercentEffective(20.0);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    assert!(reasons(&events).is_empty(), "not inside a tool loop");
    let (outcome, events) = turn(&mut agent, "Ready?").await;
    outcome.unwrap();
    assert_eq!(reasons(&events), [EditReason::Early]);
}

// S3-22 S3-23
#[tokio::test]
async fn a_forced_compaction_tells_before_and_after() {
    let world = World::new(20_000, steps(20, 300));
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let before = agent.view().entries().len() as u64;
    let result = agent.compact(&Events::default()).await.unwrap();
    assert_eq!(result.before_messages, before);
    assert_eq!(result.after_messages, agent.view().entries().len() as u64);
    assert!(result.after_tokens < result.before_tokens && !result.strategies_run.is_empty());
    assert!(result.to_string().starts_with("compacted "), "{result}");
}

#[tokio::test]
async fn what_can_never_fit_is_a_typed_error_that_names_the_fixed_part() {
    let world = World::new(60, steps(1, 1));
    let mut agent = world.agent().await;
    let error = turn(&mut agent, "Go.").await.0.unwrap_err();
    let TurnError::DoesNotFit { window, fixed, .. } = &error else { panic!("{error}") };
    assert_eq!(*window, 60);
    assert!(*fixed > 54, "the tools alone take {fixed}");
    assert!(error.to_string().contains("system prompt and tools"), "{error}");

    // What does not fit is more than what fits.
    for window in (100..3_000).step_by(50) {
        let mut agent = World::new(window, steps(1, 1)).agent().await;
        if let Err(TurnError::DoesNotFit { fixed, smallest, below, .. }) =
            turn(&mut agent, &"word ".repeat(1_000)).await.0
        {
            assert!(fixed + smallest >= below, "{fixed} and {smallest} stay below {below} of {window}");
        }
    }

    let world = World::new(2_000, steps(1, 1));
    world.results.failures().fail_with("disk full");
    let mut agent = world.agent().await;
    let long = "word ".repeat(3_000);
    let error = turn(&mut agent, &long).await.0.unwrap_err();
    assert!(error.to_string().contains("the message of the user alone"), "{error}");
    assert!(agent.view().entries().is_empty(), "a message that cannot fit is not in the log");
    turn(&mut agent, "Short.").await.0.unwrap();
}

#[tokio::test]
async fn a_message_larger_than_the_window_is_stored_and_shown_in_part() {
    let world = World::new(2_000, steps(1, 1));
    let mut agent = world.agent().await;
    let long = format!("Find the odd word. {}It is in the list.", "word ".repeat(3_000));
    let (outcome, events) = turn(&mut agent, &long).await;
    outcome.unwrap();
    let shown = agent.view().entries()[0].message.text();
    assert!(shown.starts_with("Find the odd word.") && shown.ends_with("It is in the list."), "{shown}");
    assert!(
        shown.contains("of this message of 15,037 bytes are not shown") && shown.len() < 3_000,
        "{shown}"
    );
    let said =
        |event: &Event| matches!(event, Event::Notice(text) if text.contains("does not fit the window"));
    assert!(events.iter().any(said), "{events:?}");
}

#[tokio::test]
async fn a_message_that_a_window_learnt_late_shows_in_part_stays_the_request() {
    let overflow = Reply::Fail(ModelError::Overflow {
        message: "too long".to_owned(),
        limit: Some(3_000),
        tokens: Some(6_100),
    });
    let mut replies = vec![overflow];
    replies.extend(steps(40, 450));
    let world = World::new(40_000, replies);
    let mut agent = world.agent().await;
    let long = format!("TASK: translate. {}It is in the list.", "word ".repeat(6_000));
    let (outcome, events) = turn(&mut agent, &long).await;
    outcome.unwrap();
    let compactions = events.iter().filter(|event| matches!(event, Event::Compacted(_))).count();
    assert!(compactions >= 2, "{compactions}");
    for request in world.model.requests().into_iter().skip(1) {
        let has =
            |part: &str| request.transcript.entries().iter().any(|entry| entry.message.text().contains(part));
        assert!(has("TASK: translate.") && has("It is in the list."), "the request is in each request");
    }
}

#[tokio::test]
async fn a_long_tool_loop_in_one_exchange_stays_below_the_window_and_keeps_the_request() {
    let world = World::new(7_500, steps(60, 450));
    let mut agent = world.agent().await;
    turn(&mut agent, "The one request that must stay.").await.0.unwrap();
    for request in world.model.requests() {
        let kept = request.transcript.entries().iter().any(|entry| {
            entry.kind == EntryKind::User && entry.message.text() == "The one request that must stay."
        });
        assert!(kept, "the user's last request is verbatim in every request");
    }
}
