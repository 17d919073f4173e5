//! What a stop leaves behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use serde_json::json;
use throughline_agent::{Agent, Event, NullSink};
use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply,
    ScriptedModel,
};
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::{
    ContentBlock, DocumentName, EntryKind, Message, Origin, RecordBody, Seq, Thinking, ToolCall,
    ToolDefinition, ToolOrigin, Usage, project,
};
use throughline_documents::DocumentCaps;
use throughline_groups::Change;
use throughline_testkit::{WordCounter, render};
use throughline_tools::{CancelFlag, Tool, ToolContext, ToolOutput};

use crate::harness::{Events, World, echo, session, text, tool, turn};

/// Begins some answers and never ends them; the script follows.
#[derive(Debug)]
struct Endless {
    times: AtomicU64,
    begins_with: Vec<CompletionEvent>,
    script: Arc<ScriptedModel>,
}

#[async_trait]
impl LanguageModel for Endless {
    fn info(&self) -> ModelInfo {
        self.script.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        assert_eq!(request.faults(), []);
        if self.times.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err() {
            return self.script.stream(request).await;
        }
        let begun = self.begins_with.clone().into_iter().map(Ok);
        Ok(stream::iter(begun).chain(stream::pending()).boxed())
    }
}

fn delta(text: &str) -> CompletionEvent {
    CompletionEvent::TextDelta(text.to_owned())
}

/// An agent whose first answers never end.
async fn endless(world: &World, times: u64, begins_with: Vec<CompletionEvent>) -> Agent {
    let model = Endless { times: AtomicU64::new(times), begins_with, script: world.model.clone() };
    let builder = world.builder_for(Arc::new(model), world.settings.clone());
    builder.documents(DocumentCaps::default()).open(session()).await.unwrap()
}

// S4-15
#[tokio::test]
async fn what_is_done_after_an_undo_is_not_hidden_with_what_was_undone() {
    let world = World::new(60_000, ["Second answer.", "Gone on."].map(Reply::text));
    let mut agent = endless(&world, 1, vec![delta("Half an answer")]).await;
    stopped(&mut agent, "First.", |event| matches!(event, Event::Text(_))).await;
    turn(&mut agent, "Second.").await.0.unwrap();
    agent.change(Change::Undo, &NullSink).await.unwrap();
    agent.continue_turn(&NullSink, &CancelFlag::new()).await.unwrap().unwrap();
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("Gone on.") && !shown.contains("Second."), "{shown}");
    // The log alone shows the same.
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    assert_eq!(render(project(&records, &WordCounter).unwrap().transcript().messages()), shown);
}

/// A turn that the user stops as soon as the answer has come so far, and its events.
async fn stopped(agent: &mut Agent, said: &str, so_far: fn(&Event) -> bool) -> Vec<Event> {
    let (events, cancel) = (Events::default(), CancelFlag::new());
    let sink = |event: Event| {
        if so_far(&event) {
            cancel.cancel();
        }
        throughline_agent::EventSink::emit(&events, event);
    };
    let outcome = agent.turn(Message::user(said), &sink, &cancel).await.unwrap();
    assert_eq!(outcome.stop, "cancelled");
    events.all()
}

fn shown(agent: &Agent) -> String {
    render(agent.view().transcript().messages())
}

const STOPPED: &str = "[The turn was stopped here, before it was finished.]";

#[tokio::test]
async fn the_next_request_shows_the_partial_answer_and_that_it_was_stopped() {
    let thinking = Thinking { text: "hm".to_owned(), signature: None, redacted: None };
    let begins_with = vec![
        CompletionEvent::ThinkingDelta("hm".to_owned()),
        CompletionEvent::Block(ContentBlock::Thinking(thinking)),
        delta("First I read."),
        CompletionEvent::Block(text("First I read.")),
        CompletionEvent::Block(echo("c1", 3)),
        delta("Then I wri"),
    ];
    let world = World::new(4_000, [Reply::text("Done.")]);
    let mut agent = endless(&world, 1, begins_with).await;
    stopped(&mut agent, "Go.", |event| matches!(event, Event::Text(text) if text.ends_with("wri"))).await;
    assert_eq!(
        shown(&agent),
        format!("user: Go.\nassistant: First I read.\\n\\nThen I wri\nuser: {STOPPED}\n"),
        "no thinking, no call that was never made"
    );
    assert_eq!(agent.view().entries().last().unwrap().kind, EntryKind::Notice);
    // It is in the log.
    let before = shown(&agent);
    drop(agent);
    let mut agent = world.agent().await;
    assert_eq!(shown(&agent), before);
    turn(&mut agent, "Write it in French.").await.0.unwrap();
    let asked = world.model.requests().pop().unwrap();
    assert_eq!(render(asked.transcript.messages()), format!("{before}user: Write it in French.\n"));
}

#[tokio::test]
async fn without_a_partial_answer_the_stop_is_reported_once() {
    let world = World::new(4_000, [Reply::text("Here.")]);
    let mut agent = endless(&world, 3, vec![CompletionEvent::ThinkingDelta("hm".to_owned())]).await;
    let thinks = |event: &Event| matches!(event, Event::Thinking(_));
    stopped(&mut agent, "Go.", thinks).await;
    assert_eq!(shown(&agent), format!("user: Go.\nuser: {STOPPED}\n"));
    // The user asks to continue, and stops again.
    let cancel = CancelFlag::new();
    let stop = |event: Event| {
        if thinks(&event) {
            cancel.cancel();
        }
    };
    agent.continue_turn(&stop, &cancel).await.unwrap().unwrap();
    let twice = format!("user: Go.\nuser: {STOPPED}\nuser: [continue]\nuser: {STOPPED}\n");
    assert_eq!(shown(&agent), twice);
    // It is stopped before anything is sent.
    let already = CancelFlag::new();
    already.cancel();
    agent.continue_turn(&NullSink, &already).await.unwrap().unwrap();
    assert_eq!(shown(&agent), format!("{twice}user: [continue]\nuser: {STOPPED}\n"));
    stopped(&mut agent, "Now?", thinks).await;
    let end = agent.continue_turn(&Events::default(), &CancelFlag::new()).await.unwrap().unwrap();
    assert_eq!(end.text, "Here.");
}

#[tokio::test]
async fn a_document_is_taken_from_a_stopped_answer_when_it_is_whole() {
    let said = "SCRATCHPAD:\n## Current Plan\n1. [ ] read\n\n### STATE\nGoal: fix it\nContext: the par";
    let world = World::new(4_000, []);
    let mut agent = endless(&world, 1, vec![delta(said)]).await;
    stopped(&mut agent, "Go.", |event| matches!(event, Event::Text(_))).await;
    let documents = agent.view().documents();
    assert!(documents.text(DocumentName::Scratchpad).contains("1. [ ] read"));
    assert_eq!(documents.text(DocumentName::State), "", "half of it must not replace the whole");
}

/// Runs until it is stopped.
#[derive(Debug)]
struct Waits;

#[async_trait]
impl Tool for Waits {
    fn definition(&self) -> ToolDefinition {
        tool("wait", ToolOrigin::Builtin)
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        std::future::pending().await
    }
}

fn wait(id: &str) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: "wait".to_owned(), input: json!({}) })
}

#[tokio::test]
async fn a_quick_tool_is_reported_while_a_slow_one_runs_and_a_stop_ends_that() {
    let mut world = World::new(4_000, [Reply::Say(vec![wait("c1"), echo("c2", 2)]), Reply::text("Well.")]);
    world.tools.push(Arc::new(Waits));
    let mut agent = world.agent().await;
    // The user stops it when the second call has ended: the first never does.
    let events = stopped(
        &mut agent,
        "Go.",
        |event| matches!(event, Event::ToolFinished { call_id, .. } if call_id == "c2"),
    )
    .await;
    let ended: Vec<&str> = events
        .iter()
        .filter_map(|event| match event {
            Event::ToolFinished { call_id, .. } => Some(call_id.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(ended, ["c2", "c1"]);
    let end = format!("results:\n  c1 ! [Cancelled]\n  c2 = c2_0 c2_1\nuser: {STOPPED}\n");
    assert!(shown(&agent).ends_with(&end), "{}", shown(&agent));
    assert_eq!(turn(&mut agent, "Leave it.").await.0.unwrap().text, "Well.");
}

#[tokio::test]
async fn what_a_stopped_answer_used_is_known() {
    let usage = Usage { input: 90, cache_read: 10, ..Usage::default() };
    let world = World::new(4_000, []);
    let mut agent = endless(&world, 1, vec![CompletionEvent::Usage(usage), delta("So")]).await;
    let events = stopped(&mut agent, "Go.", |event| matches!(event, Event::Text(_))).await;
    let spent: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Spent(used) => Some(used.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(spent.len(), 1);
    assert_eq!(spent[0].origin, Origin::new("scripted", "scripted"));
    assert_eq!((spent[0].requests, spent[0].usage), (1, usage));
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    assert!(records.iter().any(|record| record.body == RecordBody::Spent(spent[0].clone())));
}
