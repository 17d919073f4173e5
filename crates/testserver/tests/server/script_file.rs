//! Scripts as JSON.

use std::time::{Duration, Instant};

use expect_test::expect;
use serde_json::{Value, json};
use throughline_testserver::{Script, Server};

use crate::client::{Client, ask, hello};

const PATH: &str = "/v1/messages";
const FORMAT: &str = include_str!("../../SCRIPT.md");

async fn start(script: &Value) -> Server {
    Server::start(Script::from_json(&script.to_string()).unwrap()).await.unwrap()
}

/// The answer to a request for a whole message, in one line.
async fn answer(fields: &str) -> String {
    let server = start(&serde_json::from_str(&format!("[{fields}]")).unwrap()).await;
    let response = ask(&server, PATH, &hello(PATH, false)).await;
    let body = match serde_json::from_slice::<Value>(&response.body) {
        Ok(mut body) => {
            for name in ["id", "type", "role", "model", "request_id", "stop_sequence"] {
                body.as_object_mut().unwrap().shift_remove(name);
            }
            if let Some(usage) = body.get_mut("usage").and_then(Value::as_object_mut) {
                usage.retain(|name, _| name.ends_with("put_tokens"));
            }
            body.to_string()
        }
        Err(_) => response.text().to_owned(),
    };
    format!("{}\n", format!("{} {body}", response.status).trim_end())
}

#[tokio::test]
async fn what_answers_say() {
    let mut shown = String::new();
    for fields in [
        r#"{"text": "hello"}"#,
        r#"{"text": "hello", "stop": "max_tokens", "usage": {"input": 12, "cache_read": 9}}"#,
        r#"{"text": "hello", "stop": "something_else", "no_usage": true}"#,
        r#"{"call": {"id": "c1", "name": "read", "input": {"path": "a.rs"}}, "no_usage": true}"#,
        r#"{"call": {"id": "c1", "name": "read"}, "bad_input": true, "no_usage": true}"#,
        r#"{"blocks": [{"type": "thinking", "text": "hm", "signature": "s", "redacted": null},
                       {"type": "tool_call", "id": "c1", "name": "read"}], "no_usage": true}"#,
        r#"{"status": 418, "body": {"a": 1}}"#,
        r#"{"status": 204}"#,
        r#"{"error": "overloaded"}"#,
        r#"{"error": {"too_long": {"tokens": 9, "limit": 8}}}"#,
        r#"{"error": {"rate_limited": {}}}"#,
        r#"{"text": "hello", "event_error": "internal"}"#,
        r#"{"html": "<p>", "status": 502}"#,
        r#"{"raw": "data: 1\n\n", "content_type": "text/plain"}"#,
    ] {
        shown.push_str(&answer(fields).await);
    }
    expect![[r#"
        200 {"content":[{"type":"text","text":"hello"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2}}
        200 {"content":[{"type":"text","text":"hello"}],"stop_reason":"max_tokens","usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":9,"output_tokens":0}}
        200 {"content":[{"type":"text","text":"hello"}],"stop_reason":"something_else"}
        200 {"content":[{"type":"tool_use","id":"c1","name":"read","input":{"path":"a.rs"}}],"stop_reason":"tool_use"}
        200 {"content":[{"type":"tool_use","id":"c1","name":"read","input":"{\"path\": \"a"}],"stop_reason":"tool_use"}
        200 {"content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"c1","name":"read","input":{}}],"stop_reason":"tool_use"}
        418 {"a":1}
        204
        529 {"error":{"type":"overloaded_error","message":"Overloaded"}}
        400 {"error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}
        429 {"error":{"type":"rate_limit_error","message":"This request would exceed your account's rate limit. Please try again later."}}
        500 {"error":{"type":"api_error","message":"Internal server error"}}
        502 <p>
        200 data: 1
    "#]].assert_eq(&shown);
}

#[tokio::test]
async fn how_answers_come() {
    let script = json!([
        {"error": {"rate_limited": {"retry_after_s": 3}}, "headers": {"X-More": "yes"}},
        {"text": "hello", "wait_head_ms": 40, "wait_first_ms": 40, "wait_each_ms": 5, "pieces_of": 3},
        {"text": "hello", "cut_after": 2},
        {"text": "hello", "garbage_after": 2},
    ]);
    let server = start(&script).await;
    let ask = async || ask(&server, PATH, &hello(PATH, true)).await;
    let response = ask().await;
    assert_eq!((response.header("retry-after"), response.header("x-more")), (Some("3"), Some("yes")));
    let before = Instant::now();
    let response = ask().await;
    assert!(before.elapsed() > Duration::from_millis(80 + 5 * 6));
    assert!(response.chunks.iter().all(|(_, chunk)| chunk.len() <= 3));
    assert!(!ask().await.whole);
    assert!(ask().await.text().contains("\"br\n"));
}

#[tokio::test]
async fn what_a_script_asks_of_its_clients() {
    let script = json!({
        "answers": [{"text": "hello"}],
        "repeat_last": true,
        "key": "k",
        "models": [{"name": "m", "window": 1000}],
        "lenient": true,
        "cuts_at": 10,
        "demands": ["thinking", "signatures"],
    });
    let server = start(&script).await;
    let mut client = Client::new(&server).await;
    let version = "anthropic-version: 2023-06-01";
    assert_eq!(client.ask(PATH, &[version], &hello(PATH, true)).await.status, 401);
    assert_eq!(client.ask(PATH, &[version, "x-api-key: k"], &json!({"model": "m"})).await.status, 200);
    assert_eq!(client.ask(PATH, &[version, "x-api-key: k"], &json!({"model": "n"})).await.status, 404);
    let mut body = hello("/api/chat", false);
    body["messages"][0]["content"] = json!("x".repeat(100));
    assert_eq!(client.ask("/api/chat", &[], &body).await.json()["prompt_eval_count"], 7);
    let mut body = hello("/v1/chat/completions", false);
    let call = json!({"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}});
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
    messages.push(json!({"role": "tool", "tool_call_id": "c1", "content": "fine"}));
    client.ask("/v1/chat/completions", &["Authorization: Bearer k"], &body).await;
    assert_eq!(server.received().pop().unwrap().faults.len(), 2);
}

#[test]
fn a_text_that_is_no_script_is_an_error_with_its_line() {
    let mut shown = String::new();
    for text in [
        "",
        "[\n{\"text\": 1}]",
        "[\n{\"text\": \"a\"},\n{\"text\": \"a\",\n \"html\": \"b\"}\n]",
        "[{}]",
        "[{\"status\": 200, \"text\": \"a\"}]",
        "[{\"html\": \"a\", \"body\": 1}]",
        "[{\"error\": \"overloaded\", \"stop\": \"end_turn\"}]",
        "[{\"text\": \"a\", \"content_type\": \"b\"}]",
        "[{\"error\": \"unknown\"}]",
        "[{\"blocks\": [{\"type\": \"image\"}]}]",
        "{\"answers\": [],\n \"modles\": []}",
        "{\"repeat_last\": true}",
        "[] []",
    ] {
        let error = Script::from_json(text).unwrap_err();
        let source = std::error::Error::source(&error).unwrap().to_string();
        let source = source.split(", expected one of").next().unwrap();
        shown.push_str(&format!("{}: {error}: {source}\n", error.line()));
    }
    expect![[r#"
        1: the script cannot be read: EOF while parsing a value at line 1 column 0
        2: the script cannot be read: invalid type: integer `1`, expected a string at line 2 column 10
        4: the script cannot be read: an answer needs exactly one of `text`, `call`, `blocks`, `error`, `html`, `raw`, or a `status` at line 4 column 13
        1: the script cannot be read: an answer needs exactly one of `text`, `call`, `blocks`, `error`, `html`, `raw`, or a `status` at line 1 column 3
        1: the script cannot be read: an answer needs exactly one of `text`, `call`, `blocks`, `error`, `html`, `raw`, or a `status` at line 1 column 29
        1: the script cannot be read: an answer needs exactly one of `text`, `call`, `blocks`, `error`, `html`, `raw`, or a `status` at line 1 column 25
        1: the script cannot be read: `stop`, `usage`, `no_usage`, `bad_input` and `event_error` need `text`, `call` or `blocks` at line 1 column 44
        1: the script cannot be read: `content_type` needs `raw` at line 1 column 35
        1: the script cannot be read: unknown variant `unknown`
        1: the script cannot be read: unknown variant `image`
        2: the script cannot be read: unknown field `modles`
        1: the script cannot be read: missing field `answers` at line 1 column 21
        1: the script cannot be read: trailing characters at line 1 column 4
    "#]].assert_eq(&shown);
}

#[test]
fn every_field_is_described_and_the_script_of_the_python_checks_is_one() {
    Script::from_json(include_str!("../../python/check_clients.json")).unwrap();
    // The message of an unknown field lists all that are known.
    for text in ["[{\"?\": 1}]", "{\"?\": 1}"] {
        let error = Script::from_json(text).unwrap_err();
        let known = std::error::Error::source(&error).unwrap().to_string();
        let fields: Vec<&str> = known.split('`').skip(3).step_by(2).collect();
        assert!(fields.len() >= 6, "{known}");
        for field in fields {
            assert!(FORMAT.contains(&format!("\"{field}\":")), "{field} is not described");
        }
    }
}
