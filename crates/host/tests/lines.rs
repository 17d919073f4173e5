//! A client over two streams, on a data folder: calls, order, notices, and sessions that outlive the process.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::io::BufRead as _;
use std::path::Path;

use serde_json::{Value, json};
use throughline_host::{HostOptions, LineNotices, serve_lines};
use tokio::io::{AsyncWriteExt as _, BufReader};

/// Sends all lines at once, and returns what comes back until the server ends.
async fn exchange(folder: &Path, lines: &[Value]) -> Vec<Value> {
    let (mut calls, input) = tokio::io::duplex(1 << 20);
    let (answers, output) = std::io::pipe().unwrap();
    let notices = LineNotices::default();
    let options = HostOptions { data_dir: Some(folder.to_owned()), ..HostOptions::default() };
    let contexts = options.open(Some(notices.sink())).await.unwrap();
    let served =
        tokio::spawn(serve_lines(contexts, notices, BufReader::new(input), output, std::future::pending()));
    let answers =
        tokio::task::spawn_blocking(|| std::io::BufReader::new(answers).lines().collect::<Vec<_>>());
    for line in lines {
        calls.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
    calls.shutdown().await.unwrap();
    let answers = answers.await.unwrap();
    served.await.unwrap().unwrap();
    answers.into_iter().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

fn call(id: u64, method: &str, params: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params.into() })
}

fn answer(all: &[Value], id: u64) -> &Value {
    all.iter().find(|line| line["id"] == json!(id)).unwrap()
}

fn open(context: &str) -> Value {
    json!({ "context": context, "model": "claude-sonnet-4-5", "system": "You are careful." })
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_are_sent_at_once_run_in_their_order_and_the_session_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let body = json!({ "content": [{ "type": "text", "text": "A comma." }], "stop_reason": "end_turn" });
    let all = exchange(
        folder.path(),
        &[
            call(0, "initialize", json!({ "protocol": 1, "client": "test" })),
            call(1, "open", open("mine")),
            call(2, "user", json!({ "context": "mine", "text": "Why does it fail?" })),
            call(3, "next_request", json!({ "context": "mine" })),
            call(4, "answer", json!({ "context": "mine", "request": 1, "body": body })),
            call(5, "open", open("other")),
            json!({ "jsonrpc": "2.0", "method": "user", "params": { "context": "other", "text": "Quiet." } }),
            call(6, "state", json!({ "context": "other" })),
            json!({ "not": "a call" }),
        ],
    )
    .await;
    let hello = &answer(&all, 0)["result"];
    assert_eq!(hello["protocol"], 1, "{hello}");
    assert!(hello["operations"].as_array().unwrap().contains(&json!("next_request")));
    assert_eq!(answer(&all, 1)["result"]["window"], 200_000);
    assert_eq!(answer(&all, 3)["result"]["body"]["model"], "claude-sonnet-4-5");
    assert_eq!(answer(&all, 4)["result"]["text"], "A comma.", "{all:?}");
    assert_eq!(answer(&all, 6)["result"]["messages"], 1, "a call without an id is done, and not answered");
    assert_eq!(all.len(), 8, "{all:?}");

    let again = exchange(
        folder.path(),
        &[call(1, "open", open("mine")), call(2, "handoff", json!({ "context": "mine" }))],
    )
    .await;
    assert_eq!(answer(&again, 1)["result"]["resumed"], true);
    assert_eq!(answer(&again, 2)["result"]["requests"], json!(["Why does it fail?"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_have_numbers_for_json_rpc_and_words_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let holder = HostOptions { data_dir: Some(folder.path().to_owned()), ..HostOptions::default() };
    let holder = holder.open(None).await.unwrap();
    holder.call("open", open("held")).await.unwrap();
    let all = exchange(
        folder.path(),
        &[
            call(1, "open", open("held")),
            call(2, "opne", json!({ "context": "a" })),
            call(3, "open", json!({ "context": "a", "model": "claude-sonnet-4-5", "modle": 1 })),
            call(4, "open", json!({ "context": "a", "model": "a-model-of-no-table" })),
            call(5, "initialize", json!({ "protocol": 99 })),
        ],
    )
    .await;
    let error =
        |id| (answer(&all, id)["error"]["code"].clone(), answer(&all, id)["error"]["data"]["code"].clone());
    assert_eq!(error(1), (json!(-32_000), json!("held")));
    assert_eq!(error(2), (json!(-32_601), json!("unknown_operation")));
    assert_eq!(error(3), (json!(-32_602), json!("invalid_input")));
    assert_eq!(error(4), (json!(-32_000), json!("unknown_model")));
    let protocol = &answer(&all, 5)["error"]["message"];
    assert!(protocol.as_str().unwrap().contains("protocol 1, not 99"), "{protocol}");
    assert!(holder.close_all().await.is_empty());
    let all = exchange(folder.path(), &[call(1, "open", open("held"))]).await;
    assert_eq!(answer(&all, 1)["result"]["resumed"], false, "a closed context lets others in: {all:?}");
}
