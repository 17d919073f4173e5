//! Tools of a loop that has no other crate than the engine.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use throughline_completion::ModelError;
use throughline_continuity::InMemoryMessageLog;
use throughline_conversation::{ContentBlock, Role, ToolCall};
use throughline_engine::{
    ContextEngine, Event, EventSink, Message, ModelInfo, Next, Refused, SessionId, ToolDefinition, ToolOrigin,
};
use throughline_policies::{Estimator, Policy};
use throughline_tools::ToolOutput;

use super::harness::{answer, rows};

// S3-15
#[tokio::test]
async fn descriptions_that_take_too_much_room_are_deferred_where_the_caller_allows_it() {
    let about = "It is explained at length. ".repeat(20);
    let tool =
        |number| ToolDefinition::new(format!("far_{number}"), about.clone(), json!({ "type": "object" }));
    let always: Vec<ToolDefinition> = (0..40).map(tool).collect();
    let deferrable: Vec<ToolDefinition> = (0..40).map(tool).map(ToolDefinition::deferrable).collect();
    assert_eq!((always[0].origin, deferrable[0].origin), (ToolOrigin::Builtin, ToolOrigin::Mcp));
    for (tools, all) in [(always, true), (deferrable, false)] {
        let info = ModelInfo::with_window("test", 24_000, 2_000);
        let settings = Policy::Throughline.settings(24_000, 2_000);
        let builder = ContextEngine::builder(info, Estimator::default().counter(), settings).tools(&tools);
        let mut engine = builder.open(SessionId::new("mine").unwrap()).await.unwrap();
        engine.user(Message::user("Search.")).await.unwrap();
        let Next::Request(next) = engine.next_request().await.unwrap() else { panic!("no request") };
        let far = next.request.tools.iter().filter(|tool| tool.name.starts_with("far_")).count();
        assert_eq!(far == tools.len(), all, "{far} of {}", tools.len());
    }
}

#[derive(Debug, Default)]
struct Degraded(Mutex<Vec<String>>);

impl EventSink for Degraded {
    fn emit(&self, event: Event) {
        if let Event::Degraded(degradation) = event {
            self.0.lock().unwrap().push(degradation.cause);
        }
    }
}

#[tokio::test]
async fn a_tool_that_cannot_be_offered_is_left_out_and_said() {
    let tool = |name: &str, about: &str| ToolDefinition::new(name, about, json!({ "type": "object" }));
    let schemaless = ToolDefinition::new("flat", "", json!(null));
    let tools =
        [tool("dump", "a"), tool("dump", "b"), tool("read_result", "mine"), tool("my tool", "x"), schemaless];
    let events = Arc::new(Degraded::default());
    let info = ModelInfo::with_window("test", 24_000, 2_000);
    let settings = Policy::Throughline.settings(24_000, 2_000);
    let builder = ContextEngine::builder(info, Estimator::default().counter(), settings).tools(&tools);
    let mut engine =
        builder.events(Arc::clone(&events) as _).open(SessionId::new("mine").unwrap()).await.unwrap();
    engine.user(Message::user("Dump.")).await.unwrap();
    let Next::Request(next) = engine.next_request().await.unwrap() else { panic!("no request") };
    let dump: Vec<&str> = next
        .request
        .tools
        .iter()
        .filter(|tool| tool.name == "dump")
        .map(|tool| tool.description.as_str())
        .collect();
    assert_eq!(dump, ["a"]);
    assert_eq!(
        *events.0.lock().unwrap(),
        [
            "tool \"dump\": another tool has this name",
            "tool \"read_result\": the engine has a tool of this name",
            "tool \"my tool\": its name is not 1 to 64 letters, digits, '_' or '-'",
            "tool \"flat\": its schema is no JSON object",
        ]
    );
}

/// Forty tools that may be deferred, in a window of this size, on this log.
async fn open_far(log: &Arc<InMemoryMessageLog>, window: u64, count: usize) -> ContextEngine {
    let about = "It is explained at length. ".repeat(20);
    let tool = |number| {
        ToolDefinition::new(format!("far_{number:02}"), about.clone(), json!({ "type": "object" }))
            .deferrable()
    };
    let tools: Vec<ToolDefinition> = (0..count).map(tool).collect();
    let info = ModelInfo::with_window("test", window, 2_000);
    let settings = Policy::Throughline.settings(window, 2_000);
    let builder = ContextEngine::builder(info, Estimator::default().counter(), settings).tools(&tools);
    builder.log(Arc::clone(log) as _).open(SessionId::new("mine").unwrap()).await.unwrap()
}

/// Answers the next request with these calls, or with a text. Returns the far tools that it lists.
async fn step(engine: &mut ContextEngine, calls: &[(&str, &str, Value)]) -> Vec<String> {
    let Next::Request(next) = engine.next_request().await.unwrap() else { panic!("no request") };
    let far = next.request.tools.iter().map(|tool| tool.name.clone()).filter(|name| name.starts_with("far_"));
    let (id, far) = (next.id, far.collect());
    drop(next);
    let call = |(id, name, input): &(&str, &str, Value)| {
        ContentBlock::ToolCall(ToolCall { id: (*id).into(), name: (*name).into(), input: input.clone() })
    };
    let said = Message { role: Role::Assistant, content: calls.iter().map(call).collect() };
    let said = if calls.is_empty() { Message::assistant("Done.") } else { said };
    engine.answer(id, answer(said)).await.unwrap();
    let open: Vec<String> = engine.open_calls().map(|call| call.id.clone()).collect();
    if !open.is_empty() {
        engine.results(open.into_iter().map(|id| (id, ToolOutput::text("it did")))).await.unwrap();
    }
    far
}

// S3-15
#[tokio::test]
async fn a_session_resumed_in_a_smaller_window_or_with_more_tools_plans_its_list_again() {
    let log = Arc::default();
    let mut engine = open_far(&log, 200_000, 40).await;
    engine.user(Message::user("Hi.")).await.unwrap();
    assert_eq!(step(&mut engine, &[]).await.len(), 40);
    engine.close().await;
    let mut engine = open_far(&log, 24_000, 40).await;
    engine.user(Message::user("And now?")).await.unwrap();
    let few = step(&mut engine, &[]).await;
    assert!(few.len() < 20, "{few:?}");
    engine.close().await;
    // The same window: the list stays.
    let mut engine = open_far(&log, 24_000, 40).await;
    engine.user(Message::user("Again.")).await.unwrap();
    assert_eq!(step(&mut engine, &[]).await, few);
    engine.close().await;
    let fresh = Arc::default();
    let mut engine = open_far(&fresh, 200_000, 3).await;
    engine.user(Message::user("Hi.")).await.unwrap();
    step(&mut engine, &[]).await;
    engine.close().await;
    let mut engine = open_far(&fresh, 200_000, 5).await;
    engine.user(Message::user("Again.")).await.unwrap();
    assert_eq!(step(&mut engine, &[]).await.len(), 5, "all of them fit");
}

// S3-16 S3-17
#[tokio::test]
async fn found_and_used_tools_are_listed_by_the_next_plan_of_a_resumed_session() {
    let log = Arc::default();
    let mut engine = open_far(&log, 24_000, 40).await;
    engine.user(Message::user("Find it.")).await.unwrap();
    let search = ("s", "tool_search", json!({ "query": "far_01" }));
    let before = step(&mut engine, &[search]).await;
    assert!(!before.contains(&"far_01".to_owned()), "{before:?}");
    step(&mut engine, &[("c", "call_tool", json!({ "name": "far_01", "input": {} }))]).await;
    step(&mut engine, &[]).await;
    engine.close().await;
    let mut engine = open_far(&log, 24_000, 40).await;
    for round in 0..8 {
        engine.user(Message::user(rows(round, 60))).await.unwrap();
        step(&mut engine, &[]).await;
    }
    engine.compact(None).await.unwrap();
    engine.user(Message::user("And now?")).await.unwrap();
    let after = step(&mut engine, &[]).await;
    assert!(after.contains(&"far_01".to_owned()), "{after:?}");
}

#[tokio::test]
async fn tools_that_do_not_fit_a_window_that_was_learnt_are_deferred() {
    let mut engine = open_far(&Arc::default(), 200_000, 70).await;
    engine.user(Message::user("Hi.")).await.unwrap();
    let Next::Request(next) = engine.next_request().await.unwrap() else { panic!("no request") };
    let (id, listed) = (next.id, next.request.tools.len());
    drop(next);
    let overflow = ModelError::Overflow { message: "too long".into(), limit: Some(16_000), tokens: None };
    assert!(matches!(engine.refused(id, overflow).await.unwrap(), Refused::Rebuilt));
    let Next::Request(next) = engine.next_request().await.unwrap() else { panic!("no request") };
    assert!(next.request.tools.len() < listed / 2, "{} of {listed}", next.request.tools.len());
}

#[tokio::test]
async fn a_compaction_that_is_asked_for_does_not_make_the_request_larger() {
    let mut engine = open_far(&Arc::default(), 24_000, 40).await;
    engine.user(Message::user("Find it.")).await.unwrap();
    step(&mut engine, &[("s", "tool_search", json!({ "query": "far_01 far_02 far_03" }))]).await;
    step(&mut engine, &[("c", "call_tool", json!({ "name": "far_01", "input": {} }))]).await;
    for round in 0..6 {
        step(&mut engine, &[]).await;
        engine.user(Message::user(format!("And {round}?"))).await.unwrap();
    }
    let before = engine.status().window.used.total();
    let compacted = engine.compact(None).await;
    step(&mut engine, &[]).await;
    let after = engine.status().window.used.total();
    assert!(compacted.is_err() || after < before, "{before} → {after}: {compacted:?}");
}
