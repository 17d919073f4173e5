//! Calls that their server turns into tasks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use throughline_conversation::ToolCall;
use throughline_mcp::McpServers;
use throughline_tools::{OutputSink, ToolContext, ToolOutput};

use crate::fake::{Fake, Say, call, find, servers, text};

/// The state of a task.
fn state(status: &str, message: &str, more: &Value) -> Value {
    let mut state = json!({
        "taskId": "t1", "status": status, "statusMessage": message, "createdAt": "2026-11-29T18:30:00Z",
        "lastUpdatedAt": "2026-11-29T18:30:00Z", "ttlMs": 60_000, "pollIntervalMs": 1, "resultType": "complete",
    });
    let fields = state.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    state
}

/// A server whose calls are tasks with these states, the last of them for ever.
fn with_task(states: Vec<Value>) -> Fake {
    let asked = Arc::new(AtomicUsize::new(0));
    Fake::new("s", &["x"])
        .on("tools/call", |_| vec![Say::Result(state("working", "begins", &json!({"resultType": "task"})))])
        .on("tasks/get", move |message| {
            assert_eq!(message["params"]["taskId"], "t1");
            let at = asked.fetch_add(1, Ordering::SeqCst).min(states.len() - 1);
            vec![Say::Result(states[at].clone())]
        })
        .on("tasks/update", |_| vec![Say::Result(json!({"resultType": "complete"}))])
        .on("tasks/cancel", |_| vec![Say::Result(json!({"resultType": "complete"}))])
}

#[derive(Debug, Default)]
struct Shown(Mutex<String>);

impl OutputSink for Shown {
    fn output(&self, call_id: &str, part: &[u8]) {
        let part = format!("{call_id}: {}", String::from_utf8_lossy(part));
        self.0.lock().unwrap().push_str(&part);
    }
}

async fn shown(servers: &McpServers) -> (ToolOutput, String) {
    let shown = Arc::new(Shown::default());
    let output = Some(Arc::clone(&shown) as Arc<dyn OutputSink>);
    let context = ToolContext { output, ..ToolContext::new("/tmp") };
    let call = ToolCall { id: "c1".to_owned(), name: "mcp__s__x".to_owned(), input: json!({}) };
    let output = find(servers, "mcp__s__x").call(&call, &context).await;
    let shown = shown.0.lock().unwrap().clone();
    (output, shown)
}

#[tokio::test]
async fn a_task_is_asked_about_until_it_has_a_result() {
    let done = json!({"result": text("the report")});
    let fake = with_task(vec![
        state("working", "begins", &json!({})),
        state("working", "half way", &json!({})),
        state("completed", "done", &done),
    ]);
    let servers = servers([fake.config()]);
    servers.start().await;
    let (output, shown) = shown(&servers).await;
    assert_eq!((output.to_text().as_str(), output.is_error), ("the report", false));
    assert_eq!(shown, "c1: begins\nc1: half way\n", "each message once");
    servers.close().await;
    assert!(!fake.received().iter().any(|message| message["method"] == "tasks/cancel"), "it has ended");
}

#[tokio::test]
async fn a_task_that_fails_or_is_cancelled_is_an_error() {
    for (last, why) in [
        (state("failed", "", &json!({"error": {"code": -32603, "message": "no disk"}})), "no disk"),
        (state("cancelled", "", &json!({})), "the server cancelled the task"),
        (json!({"tools": []}), "its answer about the task is invalid"),
    ] {
        let servers = servers([with_task(vec![last]).config()]);
        servers.start().await;
        let output = call(&servers, "mcp__s__x", json!({})).await;
        assert!(output.is_error && output.to_text().contains(why), "{}", output.to_text());
    }
}

#[tokio::test]
async fn a_task_may_ask_and_gets_an_answer_for_each_question() {
    let question = json!({"method": "elicitation/create", "params": {
        "message": "Which?", "requestedSchema": {"type": "object", "properties": {}},
    }});
    let fake = with_task(vec![
        state("input_required", "asks", &json!({"inputRequests": {"q1": question}})),
        state("completed", "done", &json!({"result": text("the report")})),
    ]);
    let servers = servers([fake.config()]);
    servers.start().await;
    assert_eq!(call(&servers, "mcp__s__x", json!({})).await.to_text(), "the report");
    let update = fake.wait_for(|message| message["method"] == "tasks/update").await;
    assert_eq!(update["params"]["taskId"], "t1");
    assert_eq!(update["params"]["inputResponses"], json!({"q1": {"action": "cancel"}}), "no person is there");
}

#[tokio::test]
async fn a_call_that_is_stopped_cancels_its_task() {
    let fake = with_task(vec![state("working", "", &json!({}))]);
    let servers = servers([fake.config()]);
    servers.start().await;
    let stopped =
        tokio::time::timeout(Duration::from_millis(300), call(&servers, "mcp__s__x", json!({}))).await;
    assert!(stopped.is_err());
    let cancel = fake.wait_for(|message| message["method"] == "tasks/cancel").await;
    assert_eq!(cancel["params"]["taskId"], "t1");
}

#[tokio::test]
async fn a_task_has_the_longer_of_its_lifetime_and_the_time_limit() {
    for (lifetime, limit) in [(json!(400), 100), (json!(1), 400), (Value::Null, 400)] {
        let endless = vec![state("working", "", &json!({}))];
        let first = state("working", "", &json!({"resultType": "task", "ttlMs": lifetime}));
        let fake = with_task(endless).on("tools/call", move |_| vec![Say::Result(first.clone())]);
        let mut config = fake.config();
        config.timeout = Duration::from_millis(limit);
        let servers = servers([config]);
        servers.start().await;
        let began = std::time::Instant::now();
        let output = call(&servers, "mcp__s__x", json!({})).await;
        assert!(output.is_error && output.to_text().contains("did not answer"), "{}", output.to_text());
        assert!(began.elapsed() >= Duration::from_millis(400), "{lifetime}: {:?}", began.elapsed());
    }
}
