//! The nine steps, seen from outside.

use std::sync::Arc;

use throughline_agent::{Event, TurnError, reconstruct};
use throughline_completion::Reply;
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{Message, Record, RecordBody, Seq};
use throughline_resultstore::{MockResultRepository, StoreError};
use throughline_testkit::{WordCounter, render};

use crate::harness::{World, echo, session, text, turn};

// S3-26 S3-03
#[tokio::test]
async fn a_turn_runs_the_steps_in_order() {
    let replies = [Reply::Say(vec![text("I look."), echo("c1", 3), echo("c2", 2)]), Reply::text("Done.")];
    let world = World::new(4_000, replies);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Look around.").await;
    assert_eq!(outcome.unwrap().text, "Done.");
    let names: Vec<String> = events.iter().map(name).collect();
    expect_test::expect![[r#"
        turn started with scripted/scripted
        accepted
        acknowledged
        window
        sent 1
        text
        answered
        acknowledged
        tool started c1
        tool started c2
        tool finished c1
        acknowledged
        tool finished c2
        acknowledged
        window
        sent 2
        text
        answered
        acknowledged
        turn ended Some("end_turn")"#]]
    .assert_eq(&names.join("\n"));
    expect_test::expect![[r#"
        user: Look around.
        assistant: I look.
          -> c1 echo {"words":3}
          -> c2 echo {"words":2}
        results:
          c1 = c1_0 c1_1 c1_2
          c2 = c2_0 c2_1
        assistant: Done.
    "#]]
    .assert_eq(&render(agent.view().transcript().messages()));
}

// S3-26 S3-11 S3-17 S3-21
#[tokio::test]
async fn compaction_deferral_offload_and_snapshot_have_their_places_in_the_order() {
    let calls = (0..12).map(|call| Reply::Say(vec![echo(&format!("c{call}"), 300)]));
    let replies: Vec<Reply> =
        calls.chain([Reply::Say(vec![echo("large", 700)]), Reply::text("Done.")]).collect();
    let mut world = World::new(3_500, replies);
    world.settings.deferral.threshold = 0.001;
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    outcome.unwrap();
    let names: Vec<String> = events.iter().map(name).collect();
    let compacted = names.iter().position(|name| name == "compacted").unwrap();
    let sent = names.iter().skip(compacted).position(|name| name.starts_with("sent")).unwrap();
    assert_eq!(
        names[compacted - 4..compacted + sent],
        [
            "acknowledged",
            "window",
            "log",
            "compaction started",
            "compacted",
            "acknowledged",
            "snapshot",
            "compaction ended",
        ],
        "the results are durable, the request is measured, compacted, recorded, and only then sent"
    );
    let large = names.iter().position(|name| name == "tool finished large, offloaded").unwrap();
    assert_eq!(names[large + 1], "acknowledged", "a large result is stored before the log has it");
    let receipts = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let steps: Vec<String> = receipts
        .iter()
        .filter_map(|record| match &record.body {
            RecordBody::Receipt(receipt) => Some(receipt),
            _ => None,
        })
        .find(|receipt| receipt.compaction.is_some())
        .map(|receipt| receipt.decisions.iter().map(|decision| decision.step.clone()).collect())
        .unwrap();
    let order = ["measure", "compact", "select_tools", "build_request"];
    let places: Vec<usize> =
        steps.iter().filter_map(|step| order.iter().position(|name| name == step)).collect();
    assert!(places.is_sorted(), "{steps:?}");
}

fn name(event: &Event) -> String {
    match event {
        Event::ToolFinished { call_id, offloaded: Some(_), .. } => {
            format!("tool finished {call_id}, offloaded")
        }
        Event::CompactionStarted { .. } => "compaction started".to_owned(),
        Event::CompactionEnded { .. } => "compaction ended".to_owned(),
        Event::Compacted(_) => "compacted".to_owned(),
        Event::Log(_) => "log".to_owned(),
        Event::SnapshotSaved { .. } => "snapshot".to_owned(),
        Event::TurnStarted { model, .. } => format!("turn started with {model}"),
        Event::TurnEnded { stop, error } => format!("turn ended {:?}", stop.as_deref().or(*error)),
        Event::Accepted { .. } => "accepted".to_owned(),
        Event::Acknowledged { .. } => "acknowledged".to_owned(),
        Event::Window { .. } => "window".to_owned(),
        Event::Sent { request, .. } => format!("sent {request}"),
        Event::Text(_) => "text".to_owned(),
        Event::Answered { .. } => "answered".to_owned(),
        Event::ToolStarted { call_id, .. } => format!("tool started {call_id}"),
        Event::ToolFinished { call_id, .. } => format!("tool finished {call_id}"),
        other => format!("{other:?}"),
    }
}

// S4-26
#[tokio::test]
async fn results_have_the_order_of_the_calls_and_failures_are_marked() {
    let replies = [Reply::Say(vec![echo("a", 0), echo("b", 1)]), Reply::text("Done.")];
    let world = World::new(4_000, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("a ! no words were asked for\n  b = b_0"), "{shown}");
}

// S3-20
#[tokio::test]
async fn every_request_can_be_made_again_from_the_log() {
    let mut replies: Vec<Reply> = (0..12).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.push(Reply::text("Done."));
    let world = World::new(3_500, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Continue until it is done.").await.0.unwrap();
    assert!(agent.view().epoch() > 0, "the view was compacted on the way");
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let sent = world.model.requests();
    assert!(sent.len() > 12);
    for (index, request) in sent.iter().enumerate() {
        let again = reconstruct(&session(), &records, index as u64 + 1, &WordCounter).unwrap();
        assert_eq!(
            again.transcript.messages().collect::<Vec<_>>(),
            request.transcript.messages().collect::<Vec<_>>()
        );
        assert_eq!(
            (&again.tools, &again.system, &again.tail),
            (&request.tools, &request.system, &request.tail)
        );
        assert_eq!(
            (&again.breakpoints, again.max_output_tokens),
            (&request.breakpoints, request.max_output_tokens)
        );
    }
    let missing = reconstruct(&session(), &records, 99, &WordCounter).unwrap_err().to_string();
    assert_eq!(missing, "the session has no request 99; it has requests 1 to 13");
    // A request that failed has a number, and no receipt.
    let is_third =
        |record: &Record| matches!(&record.body, RecordBody::Receipt(receipt) if receipt.request == 3);
    let records: Vec<Record> = records.into_iter().filter(|record| !is_third(record)).collect();
    let failed = reconstruct(&session(), &records, 3, &WordCounter).unwrap_err().to_string();
    assert_eq!(failed, "request 3 was not answered");
}

#[tokio::test]
async fn a_cancelled_turn_keeps_nothing_half_written() {
    let world = World::new(4_000, [Reply::text("never seen")]);
    let mut agent = world.agent().await;
    let cancel = throughline_tools::CancelFlag::new();
    cancel.cancel();
    let outcome = agent.turn(Message::user("Go."), &throughline_agent::NullSink, &cancel).await.unwrap();
    assert_eq!(outcome.stop, "cancelled");
    assert_eq!(
        render(agent.view().transcript().messages()),
        "user: Go.\nuser: [The turn was stopped here, before it was finished.]\n"
    );
    let (outcome, _) = turn(&mut agent, "Go now.").await;
    assert_eq!(outcome.unwrap().text, "never seen");
}

#[tokio::test]
async fn a_second_answer_without_content_ends_the_turn_and_leaves_a_valid_transcript() {
    let nothing = || Reply::text("  \n ");
    let world = World::new(4_000, [nothing(), nothing(), Reply::text("Here.")]);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Say nothing.").await;
    assert_eq!(outcome.unwrap().text, "");
    let notices =
        events.iter().filter(|event| matches!(event, Event::Notice(text) if text.contains("once more")));
    assert_eq!(notices.count(), 1);
    turn(&mut agent, "Say something.").await.0.unwrap();
    assert_eq!(
        render(agent.view().transcript().messages()),
        "user: Say nothing.\nuser: Say something.\nassistant: Here.\n"
    );
}

#[tokio::test]
async fn a_turn_stops_at_its_limit_of_requests() {
    let replies = (0..9).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 1)]));
    let mut world = World::new(4_000, replies);
    world.settings.max_requests = Some(3);
    let mut agent = world.agent().await;
    let error = turn(&mut agent, "Go.").await.0.unwrap_err().to_string();
    assert_eq!(
        error,
        "stopped after 3 requests in one turn; send another message to continue, or raise the limit"
    );
    let kinds = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    assert_eq!(kinds.iter().filter(|record| matches!(record.body, RecordBody::Receipt(_))).count(), 3);
}

/// Pauses this many times, then ends its turn.
#[derive(Debug)]
struct Pausing(std::sync::atomic::AtomicU32);

#[async_trait::async_trait]
impl throughline_completion::LanguageModel for Pausing {
    fn info(&self) -> throughline_completion::ModelInfo {
        throughline_completion::ModelInfo::with_window("pausing", 4_000, 400)
    }

    async fn stream(
        &self,
        request: &throughline_completion::CompletionRequest,
    ) -> Result<throughline_completion::EventStream, throughline_completion::ModelError> {
        use futures_util::StreamExt;
        use throughline_completion::{CompletionEvent, StopReason};
        assert_eq!(request.faults(), []);
        let left = self.0.load(std::sync::atomic::Ordering::SeqCst);
        self.0.store(left.saturating_sub(1), std::sync::atomic::Ordering::SeqCst);
        let (said, stop) =
            if left > 0 { ("Half.", StopReason::Pause) } else { ("Whole.", StopReason::EndTurn) };
        let events = [CompletionEvent::Block(text(said)), CompletionEvent::Finished(stop)];
        Ok(futures_util::stream::iter(events.map(Ok)).boxed())
    }
}

#[tokio::test]
async fn a_paused_turn_continues() {
    let world = World::new(4_000, []);
    let model = Arc::new(Pausing(1.into()));
    let builder = throughline_agent::Agent::builder(model, Arc::new(WordCounter), world.settings.clone());
    let mut agent = builder.open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Whole.");
    let shown = render(agent.view().transcript().messages());
    assert_eq!(shown, "user: Go.\nassistant: Half.\nuser: [continue]\nassistant: Whole.\n");
}

#[tokio::test]
async fn a_provider_that_pauses_without_end_makes_no_progress() {
    let mut world = World::new(4_000, []);
    world.settings.max_stalled_requests = Some(4);
    let model = Arc::new(Pausing(u32::MAX.into()));
    let builder = throughline_agent::Agent::builder(model, Arc::new(WordCounter), world.settings.clone());
    let mut agent = builder.open(session()).await.unwrap();
    let error = turn(&mut agent, "Go.").await.0.unwrap_err();
    assert!(matches!(error, TurnError::NoProgress(4)), "{error}");
    // The next message starts a new count.
    let error = turn(&mut agent, "Continue.").await.0.unwrap_err();
    assert!(matches!(error, TurnError::NoProgress(4)), "{error}");
}

#[tokio::test]
async fn a_server_that_restarts_its_call_ids_does_not_spoil_the_session() {
    let twice = || Reply::Say(vec![echo("c1", 2), echo("c1", 3)]);
    let world = World::new(4_000, [twice(), twice(), Reply::text("Done.")]);
    let mut agent = world.agent().await;
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    let ids: Vec<String> = agent
        .view()
        .transcript()
        .messages()
        .flat_map(|message| message.tool_calls().map(|call| call.id.clone()).collect::<Vec<_>>())
        .collect();
    assert_eq!(ids, ["c1", "c1-2", "c1-3", "c1-4"]);
    assert!(agent.view().open_calls().is_empty());
}

#[derive(Debug)]
struct Said(std::sync::Mutex<Vec<Message>>);

#[async_trait::async_trait]
impl throughline_agent::UserMessages for Said {
    async fn take(&self) -> Vec<Message> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[tokio::test]
async fn what_the_user_says_in_a_turn_is_given_behind_the_results() {
    let world = World::new(60_000, [Reply::Say(vec![echo("one", 3)]), Reply::text("Stopped.")]);
    let said = Arc::new(Said(std::sync::Mutex::new(vec![Message::user("Stop there.")])));
    let mut agent = world.builder().user_messages(Arc::clone(&said) as _).open(session()).await.unwrap();
    let (outcome, _) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Stopped.");
    let requests = world.model.requests();
    assert_eq!(requests.len(), 2);
    let last = requests[1].transcript.messages().last().unwrap().text();
    assert!(last.starts_with("Stop there."), "{last}");
    assert!(!render(requests[0].transcript.messages()).contains("Stop there."));
    assert_eq!(agent.exchange(), 1, "it begins no turn");
}

#[tokio::test]
async fn a_message_that_never_fits_takes_no_other_one_with_it() {
    // It cannot be stored either.
    let mut results = MockResultRepository::new();
    results.expect_put().returning(|_| Err(StoreError::Other("disk full".into())));
    let large = Message::user(["word"; 9_000].join(" "));
    let said = Arc::new(Said(std::sync::Mutex::new(vec![large, Message::user("Stop there.")])));
    let world = World::new(6_000, [Reply::Say(vec![echo("one", 3)]), Reply::text("Stopped.")]);
    let builder = world.builder().results(Arc::new(results)).user_messages(Arc::clone(&said) as _);
    let mut agent = builder.open(session()).await.unwrap();
    let refused = turn(&mut agent, "Go.").await.0.unwrap_err();
    assert!(matches!(refused, TurnError::DoesNotFit { .. }), "{refused}");
    assert_eq!(agent.view().entries().last().unwrap().message.text(), "Stop there.");
}

#[tokio::test]
async fn a_message_that_says_nothing_begins_no_turn_and_ends_none() {
    let world = World::new(6_000, []);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "  ").await;
    assert!(matches!(outcome, Err(TurnError::EmptyMessage)), "{outcome:?}");
    let of_turn = |event: &&Event| matches!(event, Event::TurnStarted { .. } | Event::TurnEnded { .. });
    assert_eq!(events.iter().filter(of_turn).count(), 0);
}
