//! Keys of operations, and calls that wait for results, when the process that had the context open has ended.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may fail")]

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_contexts::{CallError, Contexts, ErrorCode, InMemoryStorage, NoModels};

/// A new process each time that it is asked.
struct Processes(Arc<InMemoryStorage>);

impl Processes {
    fn new() -> Self {
        Self(Arc::default())
    }

    async fn next(&self) -> (Contexts, Value) {
        let contexts = Contexts::new(Arc::clone(&self.0) as _, Arc::new(NoModels), None);
        let opened = call(&contexts, "open", open()).await.unwrap();
        (contexts, opened)
    }

    /// Does an operation in two processes. Both get the same.
    async fn twice(&self, operation: &str, input: Value) -> Value {
        let first = call(&self.next().await.0, operation, input.clone()).await.unwrap();
        let again = call(&self.next().await.0, operation, input).await.unwrap();
        assert_eq!(first, again, "{operation}");
        first
    }
}

fn open() -> Value {
    let dump = json!({ "name": "dump", "description": "Dumps rows.", "input_schema": { "type": "object" } });
    json!({ "model": "test", "window": 24_000, "max_output": 2_000, "tools": [dump] })
}

async fn call(contexts: &Contexts, operation: &str, mut input: Value) -> Result<Value, CallError> {
    input["context"] = json!("mine");
    contexts.call(operation, input).await
}

fn body() -> Value {
    let call = json!({ "type": "tool_use", "id": "c1", "name": "dump", "input": { "of": 7 } });
    json!({ "content": [call], "stop_reason": "tool_use" })
}

const STREAM: &str = concat!(
    "event: message_start\n",
    r#"data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"test","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}"#,
    "\n\nevent: content_block_start\n",
    r#"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
    "\n\nevent: content_block_delta\n",
    r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Done."}}"#,
    "\n\nevent: content_block_stop\n",
    r#"data: {"type":"content_block_stop","index":0}"#,
    "\n\nevent: message_delta\n",
    r#"data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}"#,
    "\n\nevent: message_stop\n",
    r#"data: {"type":"message_stop"}"#,
    "\n\n",
);

#[tokio::test]
async fn the_four_operations_of_a_turn_are_done_once_however_often_the_process_ends() {
    let processes = Processes::new();
    processes.twice("user", json!({ "key": "a", "text": "Dump." })).await;
    let next = call(&processes.next().await.0, "next_request", json!({})).await.unwrap();
    // The process that has sent the request ends before its answer comes.
    let given = json!({ "key": "b", "request": next["id"], "body": body() });
    let answered = processes.twice("answer", given).await;
    let calls = json!([{ "id": "c1", "name": "dump", "input": { "of": 7 } }]);
    assert_eq!((&answered["then"], &answered["calls"]), (&json!("calls"), &calls));

    let (contexts, opened) = processes.next().await;
    assert_eq!((&opened["calls"], &opened["messages"]), (&calls, &json!(2)));
    let state = call(&contexts, "state", json!({})).await.unwrap();
    assert_eq!((&state["waits_for"], &state["calls"]), (&json!("results"), &calls));

    let results = json!({ "key": "c", "results": [{ "call": "c1", "text": "rows" }] });
    assert_eq!(processes.twice("results", results).await["then"], "request");
    let next = call(&processes.next().await.0, "next_request", json!({})).await.unwrap();
    let streamed = json!({ "key": "d", "request": next["id"], "stream": STREAM });
    let ended = processes.twice("answer_stream", streamed).await;
    assert_eq!(
        (&ended["then"], &ended["text"], &ended["stop"]),
        (&json!("finished"), &json!("Done."), &json!("end_turn"))
    );
    assert_eq!(processes.next().await.1["messages"], 4);
}

#[tokio::test]
async fn a_key_of_one_input_is_refused_for_another_before_and_after_a_restart() {
    let processes = Processes::new();
    let (contexts, _) = processes.next().await;
    let said = |text: &str| json!({ "key": "a", "text": text });
    call(&contexts, "user", said("Dump.")).await.unwrap();
    let (reopened, _) = processes.next().await;
    for contexts in [&contexts, &reopened] {
        call(contexts, "user", said("Dump.")).await.unwrap();
        let error = call(contexts, "user", said("Something else.")).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::KeyReused, "{error}");
        assert!(error.message.contains("another input"), "{error}");
    }
    let documents = |state: &str| json!({ "key": "s", "state": state });
    call(&contexts, "set_documents", documents("Goal: one")).await.unwrap();
    call(&contexts, "set_documents", documents("Goal: one")).await.unwrap();
    let error = call(&contexts, "set_documents", documents("Goal: two")).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::KeyReused, "{error}");
}

#[tokio::test]
async fn a_key_of_one_operation_is_refused_for_every_other_before_and_after_a_restart() {
    let processes = Processes::new();
    let (contexts, _) = processes.next().await;
    call(&contexts, "user", json!({ "key": "a", "text": "Dump." })).await.unwrap();
    let next = call(&contexts, "next_request", json!({ "key": "n" })).await.unwrap();
    let given = json!({ "key": "b", "request": next["id"], "body": body() });
    call(&contexts, "answer", given).await.unwrap();
    let user = |key: &str| ("user", json!({ "key": key, "text": "?" }));
    let streamed = |key: &str| ("answer_stream", json!({ "key": key, "request": 1, "stream": STREAM }));
    let refused = async |contexts: &Contexts, (operation, input): (&str, Value), used: &str| {
        let error = call(contexts, operation, input).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::KeyReused, "{operation}: {error}");
        assert_eq!(error.data.unwrap()["operation"], used, "{operation}");
    };
    refused(&contexts, user("n"), "next_request").await;
    let contexts = {
        let (reopened, _) = processes.next().await;
        for contexts in [&contexts, &reopened] {
            refused(contexts, user("b"), "answer").await;
            refused(contexts, streamed("b"), "answer").await;
            refused(contexts, ("results", json!({ "key": "a", "results": [] })), "user").await;
            refused(contexts, ("compact", json!({ "key": "a" })), "user").await;
            refused(contexts, ("state", json!({ "key": "b" })), "answer").await;
        }
        reopened
    };
    contexts.close("mine").await.unwrap();
    let mut again = open();
    again["key"] = json!("a");
    refused(&contexts, ("open", again), "user").await;
    assert!(contexts.list().contexts.is_empty());
}
