//! What holds for every operation of the table, and for every place where its caller may stop.

#![expect(clippy::unwrap_used, reason = "tests may fail")]

#[path = "laws/slow_storage.rs"]
mod slow_storage;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use serde_json::{Map, Value, json};
use slow_storage::SlowStorage;
use throughline_contexts::{Contexts, ErrorCode, NoModels, OPERATIONS, OperationEffect};
use throughline_conversation::Seq;

fn contexts() -> (Contexts, Arc<SlowStorage>) {
    let storage = Arc::new(SlowStorage::default());
    (Contexts::new(Arc::clone(&storage) as _, Arc::new(NoModels), None), storage)
}

fn open() -> Value {
    json!({ "context": "mine", "model": "test", "window": 24_000, "documents": true })
}

/// A value of each field of an operation's input.
fn every_field(schema: &Value) -> Map<String, Value> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let own = fields.filter(|(name, _)| *name != "context" && *name != "key");
    let sample = |of: &Value| match &of["type"] {
        Value::String(kind) if kind == "integer" => json!(1),
        Value::String(kind) if kind == "boolean" => json!(true),
        _ => json!("a text"),
    };
    own.map(|(name, schema)| (name.clone(), sample(schema))).collect()
}

/// The records of a session after a message and this call.
async fn records_after(call: Option<(&str, Value)>) -> Seq {
    let (contexts, storage) = contexts();
    contexts.call("open", open()).await.unwrap();
    contexts.call("user", json!({ "context": "mine", "text": "Look." })).await.unwrap();
    if let Some((operation, input)) = call {
        // A refused read changes nothing either.
        contexts.call(operation, input).await.ok();
    }
    contexts.call("close", json!({ "context": "mine" })).await.unwrap();
    storage.last("mine").await
}

#[tokio::test]
async fn an_operation_that_reads_leaves_the_log_unchanged_whatever_its_fields_say() {
    let before = records_after(None).await;
    for entry in OPERATIONS.iter().filter(|entry| entry.of_context && entry.effect == OperationEffect::Reads)
    {
        let mut fields = every_field(&entry.whole_input());
        fields.insert("context".to_owned(), json!("mine"));
        let after = records_after(Some((entry.name, Value::Object(fields)))).await;
        assert_eq!(after, before, "{} writes", entry.name);
    }
}

/// Polls a future this often, and drops it. `None`: it had not ended.
fn stopped_after<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    (0..polls).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    })
}

/// Drops a call at each of its awaits. Afterwards the context is open or not, and can be opened or closed.
async fn check_stopped(operation: &str, input: Value, is_opened_before: bool) {
    for polls in 0.. {
        let (contexts, _) = contexts();
        if is_opened_before {
            contexts.call("open", open()).await.unwrap();
        }
        let done = stopped_after(polls, contexts.call(operation, input.clone())).is_some();
        let listed = contexts.list().contexts.len();
        assert!(
            format!("{contexts:?}").contains(&format!("open: {listed}")),
            "{operation}, dropped after {polls} polls, leaves {contexts:?}, of which {listed} is listed"
        );
        if contexts.is_open("mine") {
            contexts.call("close", json!({ "context": "mine" })).await.unwrap();
        }
        contexts.call("open", open()).await.unwrap();
        if done {
            assert!(polls > 1, "{operation} waits for its storage");
            return;
        }
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_no_place_for_its_context() {
    check_stopped("open", open(), false).await;
    check_stopped("open", json!({ "context": "mine", "model": "unlisted", "window": 1 }), false).await;
    check_stopped("user", json!({ "context": "mine", "text": "Look." }), true).await;
    check_stopped("close", json!({ "context": "mine" }), true).await;
}

#[tokio::test]
async fn calls_that_wait_for_a_close_open_the_context_once() {
    let (contexts, storage) = contexts();
    contexts.call("open", open()).await.unwrap();
    let mut context = Context::from_waker(Waker::noop());
    let mut closing = Box::pin(contexts.call("close", json!({ "context": "mine" })));
    let mut waiting = Box::pin(contexts.call("open", open()));
    assert!(
        closing.as_mut().poll(&mut context).is_pending() && waiting.as_mut().poll(&mut context).is_pending()
    );
    closing.await.unwrap();
    // The one that waited is not run yet.
    contexts.call("open", open()).await.unwrap();
    contexts.call("user", json!({ "context": "mine", "text": "Look." })).await.unwrap();
    assert_eq!(waiting.await.unwrap_err().code, ErrorCode::AlreadyOpen);
    assert_eq!(storage.opened(), 2, "before the close, and after it");
    let state = contexts.call("state", json!({ "context": "mine" })).await.unwrap();
    assert_eq!(state["messages"], 1, "{state}");
}
