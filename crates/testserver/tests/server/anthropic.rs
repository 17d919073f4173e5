//! Anthropic's Messages API, as bytes.

use expect_test::expect;
use serde_json::json;
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Thinking, ToolCall, Usage};
use throughline_testserver::{Answer, ErrorKind, Script, Server};

use crate::client::{Client, ask, events, hello};

fn everything() -> Vec<ContentBlock> {
    let opaque = Thinking { text: String::new(), signature: None, redacted: Some("opaque".to_owned()) };
    let open = Thinking { text: "hm, да".to_owned(), signature: Some("sig".to_owned()), redacted: None };
    vec![
        ContentBlock::Thinking(open),
        ContentBlock::Thinking(opaque),
        ContentBlock::Text { text: "I look.".to_owned() },
        ContentBlock::ToolCall(ToolCall { id: "t1".into(), name: "read".into(), input: json!({"a": 1}) }),
    ]
}

#[tokio::test]
async fn a_stream_with_every_kind_of_block() {
    let usage = Usage { input: 5, cache_read: 100, cache_write: 20, output: 30, searches: 0 };
    let answer = Answer::blocks(everything()).usage(usage);
    let server = Server::start(Script::new().then(answer)).await.unwrap();
    let response = ask(&server, "/v1/messages", &hello("/v1/messages", true)).await;
    assert_eq!(response.header("content-type"), Some("text/event-stream; charset=utf-8"));
    assert_eq!(response.header("request-id"), Some("req_000000000000000000000001"));
    expect![[r#"
        event: message_start
        data: {"type":"message_start","message":{"id":"msg_000000000000000000000001","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"cache_creation":{"ephemeral_5m_input_tokens":20,"ephemeral_1h_input_tokens":0},"output_tokens":1,"output_tokens_details":{"thinking_tokens":1},"service_tier":"standard"}}}
        event: content_block_start
        data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
        event: ping
        data: {"type":"ping"}
        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm, д"}}
        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"а"}}
        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}
        event: content_block_stop
        data: {"type":"content_block_stop","index":0}
        event: content_block_start
        data: {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"opaque"}}
        event: content_block_stop
        data: {"type":"content_block_stop","index":1}
        event: content_block_start
        data: {"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}
        event: content_block_delta
        data: {"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"I loo"}}
        event: content_block_delta
        data: {"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"k."}}
        event: content_block_stop
        data: {"type":"content_block_stop","index":2}
        event: content_block_start
        data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t1","name":"read","input":{}}}
        event: content_block_delta
        data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":""}}
        event: content_block_delta
        data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}
        event: content_block_delta
        data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"1}"}}
        event: content_block_stop
        data: {"type":"content_block_stop","index":3}
        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":5,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":30,"output_tokens_details":{"thinking_tokens":4}}}
        event: message_stop
        data: {"type":"message_stop"}
    "#]].assert_eq(&events(&response));
}

#[tokio::test]
async fn a_whole_message() {
    let usage = Usage { input: 5, cache_read: 100, cache_write: 20, output: 30, searches: 0 };
    let answer = Answer::blocks(everything()).usage(usage).stop(StopReason::Pause);
    let server = Server::start(Script::new().then(answer)).await.unwrap();
    let response = ask(&server, "/v1/messages", &hello("/v1/messages", false)).await;
    assert_eq!(response.header("content-type"), Some("application/json"));
    expect![[r#"{"id":"msg_000000000000000000000001","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm, да","signature":"sig"},{"type":"redacted_thinking","data":"opaque"},{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"read","input":{"a":1}}],"stop_reason":"pause_turn","stop_sequence":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"cache_creation":{"ephemeral_5m_input_tokens":20,"ephemeral_1h_input_tokens":0},"output_tokens":30,"output_tokens_details":{"thinking_tokens":4},"service_tier":"standard"}}"#]].assert_eq(response.text());
}

#[tokio::test]
async fn stop_reasons() {
    let mut script = Script::new();
    let reasons = [
        (StopReason::EndTurn, "end_turn"),
        (StopReason::ToolUse, "tool_use"),
        (StopReason::MaxTokens, "max_tokens"),
        (StopReason::Refusal, "refusal"),
        (StopReason::Pause, "pause_turn"),
        (StopReason::Other("model_context_window_exceeded".into()), "model_context_window_exceeded"),
        (StopReason::StopSequence, "stop_sequence"),
    ];
    for (stop, _) in &reasons {
        script = script.then(Answer::text("x").stop(stop.clone()));
    }
    let server = Server::start(script).await.unwrap();
    for (_, word) in &reasons {
        let mut body = hello("/v1/messages", false);
        body["stop_sequences"] = json!(["END"]);
        let message = ask(&server, "/v1/messages", &body).await.json();
        assert_eq!(message["stop_reason"], *word);
        let met = if *word == "stop_sequence" { json!("END") } else { json!(null) };
        assert_eq!(message["stop_sequence"], met);
    }
}

#[tokio::test]
async fn what_is_written_to_the_cache_is_shared_out_by_how_long_it_is_kept() {
    let usage = Usage { input: 5, cache_read: 0, cache_write: 1000, output: 3, searches: 0 };
    let server =
        Server::start(Script::new().then(Answer::text("x").usage(usage)).repeat_last()).await.unwrap();
    let text = |ttl: &str| {
        let marker = if ttl.is_empty() { json!(null) } else { json!({"type": "ephemeral", "ttl": ttl}) };
        let mut block = json!({"type": "text", "text": "y".repeat(300)});
        if !marker.is_null() {
            block["cache_control"] = marker;
        }
        block
    };
    for (system, message, minutes, hour) in [
        ("", "5m", 1000, 0),
        ("1h", "1h", 0, 1000),
        ("1h", "", 0, 1000),
        ("1h", "5m", 500, 500),
        ("", "", 1000, 0),
    ] {
        let mut body = hello("/v1/messages", false);
        body["system"] = json!([text(system)]);
        body["messages"] = json!([{"role": "user", "content": [text(message)]}]);
        let usage = ask(&server, "/v1/messages", &body).await.json()["usage"].clone();
        let split = &usage["cache_creation"];
        assert_eq!(usage["cache_creation_input_tokens"], 1000);
        assert_eq!(split["ephemeral_5m_input_tokens"], minutes, "{system} {message}: {split}");
        assert_eq!(split["ephemeral_1h_input_tokens"], hour, "{system} {message}: {split}");
    }
}

#[tokio::test]
async fn errors() {
    let mut script = Script::new();
    let kinds = [
        ErrorKind::RateLimited { retry_after_s: Some(7) },
        ErrorKind::Overloaded,
        ErrorKind::Internal,
        ErrorKind::TooLong { tokens: 9, limit: 8 },
        ErrorKind::Unauthorized,
        ErrorKind::NotFound,
    ];
    for kind in &kinds {
        script = script.then(Answer::error(kind.clone()));
    }
    let server =
        Server::start(script.then(Answer::text("hello").event_error(ErrorKind::Overloaded))).await.unwrap();
    let mut shown = String::new();
    for _ in &kinds {
        let response = ask(&server, "/v1/messages", &hello("/v1/messages", true)).await;
        let wait = response.header("retry-after").unwrap_or("-").to_owned();
        shown.push_str(&format!("{} {wait} {}\n", response.status, response.text()));
    }
    expect![[r#"
        429 7 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account's rate limit. Please try again later."},"request_id":"req_000000000000000000000001"}
        529 - {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_000000000000000000000002"}
        500 - {"type":"error","error":{"type":"api_error","message":"Internal server error"},"request_id":"req_000000000000000000000003"}
        400 - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"},"request_id":"req_000000000000000000000004"}
        401 - {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"req_000000000000000000000005"}
        404 - {"type":"error","error":{"type":"not_found_error","message":"model: m"},"request_id":"req_000000000000000000000006"}
    "#]].assert_eq(&shown);
    let response = ask(&server, "/v1/messages", &hello("/v1/messages", true)).await;
    let text = response.text();
    let end = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    assert!(response.status == 200 && text.ends_with(end), "{text}");
    assert_eq!(text.matches("content_block_delta\"").count(), 1);
}

#[tokio::test]
async fn the_version_is_required_and_the_key_comes_in_two_ways() {
    let script = Script::new().key("secret-key").lenient().then(Answer::text("x")).repeat_last();
    let server = Server::start(script).await.unwrap();
    let version = "anthropic-version: 2023-06-01";
    let mut shown = String::new();
    for headers in [
        &["x-api-key: secret-key"][..],
        &[version],
        &[version, "x-api-key: other"],
        &[version, "X-Api-Key: secret-key"],
        &[version, "Authorization: Bearer secret-key"],
    ] {
        let body = hello("/v1/messages", false);
        let response = Client::new(&server).await.ask("/v1/messages", headers, &body).await;
        let message = response.json()["error"]["message"].clone();
        shown.push_str(&format!("{} {message}\n", response.status));
    }
    expect![[r#"
        400 "anthropic-version: header is required"
        401 "x-api-key header is required"
        401 "invalid x-api-key"
        200 null
        200 null
    "#]]
    .assert_eq(&shown);
    assert_eq!(server.received()[0].faults, ["anthropic-version: header is required"]);
}

#[tokio::test]
async fn counting() {
    let server = Server::start(Script::new().model("m", 100)).await.unwrap();
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "x".repeat(363)}]});
    let response = ask(&server, "/v1/messages/count_tokens", &body).await;
    // 363 bytes of text and 37 around them.
    assert_eq!(response.text(), r#"{"input_tokens":99}"#);
    let response = ask(&server, "/v1/messages/count_tokens", &hello("/v1/messages", true)).await;
    let message = response.json()["error"]["message"].clone();
    assert_eq!((response.status, message), (400, json!("max_tokens: Extra inputs are not permitted")));
    let other = json!({"model": "other", "messages": [{"role": "user", "content": "x"}]});
    assert_eq!(ask(&server, "/v1/messages/count_tokens", &other).await.status, 404);
}

#[tokio::test]
async fn models() {
    let server = Server::start(Script::new().model("a", 100).model("b", 200)).await.unwrap();
    let version = &["anthropic-version: 2023-06-01"][..];
    let list = Client::new(&server).await.get("/v1/models?limit=9", version).await.json();
    assert_eq!(
        (&list["first_id"], &list["last_id"], &list["has_more"]),
        (&json!("a"), &json!("b"), &json!(false))
    );
    assert_eq!(list["data"][1]["max_input_tokens"], 200);
    let one = Client::new(&server).await.get("/v1/models/b", version).await.json();
    assert_eq!(one, list["data"][1]);
    let none = Client::new(&server).await.get("/v1/models/c", version).await;
    assert_eq!((none.status, none.json()["error"]["message"].clone()), (404, json!("model: c")));
}
