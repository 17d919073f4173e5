//! OpenAI's Responses API, as bytes.

use expect_test::expect;
use serde_json::{Value, json};
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Thinking, ToolCall, Usage};
use throughline_testserver::{Answer, ErrorKind, Script, Server};

use crate::client::{Response, ask, hello};

const PATH: &str = "/v1/responses";

fn everything() -> Answer {
    let thinking =
        Thinking { text: "hm".into(), signature: Some("rs_1".into()), redacted: Some("ENCRYPTED".into()) };
    Answer::blocks(vec![
        ContentBlock::Thinking(thinking),
        ContentBlock::Text { text: "Смотрю.".to_owned() },
        ContentBlock::ToolCall(ToolCall { id: "c1".into(), name: "read".into(), input: json!({"a": 1}) }),
    ])
    .usage(Usage { input: 5, cache_read: 100, cache_write: 20, output: 30, searches: 0 })
}

/// The events; of each response only what an answer changes in it.
fn events(response: &Response) -> String {
    let mut text = String::new();
    for line in response.text().lines() {
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let mut data: Value = serde_json::from_str(data).unwrap();
        if let Some(Value::Object(response)) = data.get_mut("response") {
            let kept = ["status", "output", "usage", "error", "incomplete_details"];
            response.retain(|name, value| kept.contains(&name.as_str()) && !value.is_null());
        }
        text.push_str(&format!("{data}\n"));
    }
    text
}

#[tokio::test]
async fn a_stream_with_every_kind_of_item() {
    let server = Server::start(Script::new().then(everything())).await.unwrap();
    let mut body = hello(PATH, true);
    body["include"] = json!(["reasoning.encrypted_content"]);
    let response = ask(&server, PATH, &body).await;
    let names: Vec<&str> = response.text().lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    let types: Vec<String> = response
        .text()
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str::<Value>(data).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, types);
    expect![[r#"
        {"type":"response.created","sequence_number":0,"response":{"status":"in_progress","output":[]}}
        {"type":"response.in_progress","sequence_number":1,"response":{"status":"in_progress","output":[]}}
        {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"ENCRYPTED"}}
        {"type":"response.reasoning_summary_part.added","sequence_number":3,"item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}
        {"type":"response.reasoning_summary_text.delta","sequence_number":4,"item_id":"rs_1","output_index":0,"summary_index":0,"delta":"hm"}
        {"type":"response.reasoning_summary_text.done","sequence_number":5,"item_id":"rs_1","output_index":0,"summary_index":0,"text":"hm"}
        {"type":"response.reasoning_summary_part.done","sequence_number":6,"item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"hm"}}
        {"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"ENCRYPTED"}}
        {"type":"response.output_item.added","sequence_number":8,"output_index":1,"item":{"id":"msg_000000000000000000010001","type":"message","status":"in_progress","role":"assistant","content":[]}}
        {"type":"response.content_part.added","sequence_number":9,"item_id":"msg_000000000000000000010001","output_index":1,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}
        {"type":"response.output_text.delta","sequence_number":10,"item_id":"msg_000000000000000000010001","output_index":1,"content_index":0,"delta":"Смотр","logprobs":[]}
        {"type":"response.output_text.delta","sequence_number":11,"item_id":"msg_000000000000000000010001","output_index":1,"content_index":0,"delta":"ю.","logprobs":[]}
        {"type":"response.output_text.done","sequence_number":12,"item_id":"msg_000000000000000000010001","output_index":1,"content_index":0,"text":"Смотрю.","logprobs":[]}
        {"type":"response.content_part.done","sequence_number":13,"item_id":"msg_000000000000000000010001","output_index":1,"content_index":0,"part":{"type":"output_text","text":"Смотрю.","annotations":[],"logprobs":[]}}
        {"type":"response.output_item.done","sequence_number":14,"output_index":1,"item":{"id":"msg_000000000000000000010001","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Смотрю.","annotations":[],"logprobs":[]}]}}
        {"type":"response.output_item.added","sequence_number":15,"output_index":2,"item":{"id":"fc_000000000000000000010002","type":"function_call","status":"in_progress","call_id":"c1","name":"read","arguments":""}}
        {"type":"response.function_call_arguments.delta","sequence_number":16,"item_id":"fc_000000000000000000010002","output_index":2,"delta":"{\"a\":"}
        {"type":"response.function_call_arguments.delta","sequence_number":17,"item_id":"fc_000000000000000000010002","output_index":2,"delta":"1}"}
        {"type":"response.function_call_arguments.done","sequence_number":18,"item_id":"fc_000000000000000000010002","output_index":2,"arguments":"{\"a\":1}"}
        {"type":"response.output_item.done","sequence_number":19,"output_index":2,"item":{"id":"fc_000000000000000000010002","type":"function_call","status":"completed","call_id":"c1","name":"read","arguments":"{\"a\":1}"}}
        {"type":"response.completed","sequence_number":20,"response":{"status":"completed","output":[{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"ENCRYPTED"},{"id":"msg_000000000000000000010001","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Смотрю.","annotations":[],"logprobs":[]}]},{"id":"fc_000000000000000000010002","type":"function_call","status":"completed","call_id":"c1","name":"read","arguments":"{\"a\":1}"}],"usage":{"input_tokens":125,"input_tokens_details":{"cached_tokens":100,"cache_write_tokens":20},"output_tokens":30,"output_tokens_details":{"reasoning_tokens":3},"total_tokens":155}}}
    "#]].assert_eq(&events(&response));
}

#[tokio::test]
async fn encrypted_content_is_sent_when_asked_for() {
    let server = Server::start(Script::new().then(everything()).repeat_last()).await.unwrap();
    assert!(!ask(&server, PATH, &hello(PATH, true)).await.text().contains("ENCRYPTED"));
    assert!(!ask(&server, PATH, &hello(PATH, false)).await.text().contains("ENCRYPTED"));
    let mut body = hello(PATH, false);
    body["include"] = json!(["reasoning.encrypted_content"]);
    assert_eq!(ask(&server, PATH, &body).await.json()["output"][0]["encrypted_content"], "ENCRYPTED");
}

#[tokio::test]
async fn a_whole_response_repeats_the_request() {
    let server = Server::start(Script::new().then(everything())).await.unwrap();
    let mut body = hello(PATH, false);
    body["instructions"] = json!("be kind");
    body["store"] = json!(false);
    expect![[r#"{"id":"resp_000000000000000000000001","object":"response","created_at":1767225600,"status":"completed","background":false,"error":null,"incomplete_details":null,"instructions":"be kind","max_output_tokens":null,"metadata":{},"model":"m","output":[{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":null},{"id":"msg_000000000000000000010001","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Смотрю.","annotations":[],"logprobs":[]}]},{"id":"fc_000000000000000000010002","type":"function_call","status":"completed","call_id":"c1","name":"read","arguments":"{\"a\":1}"}],"parallel_tool_calls":true,"previous_response_id":null,"prompt_cache_key":null,"reasoning":{"effort":null,"summary":null},"service_tier":"default","store":false,"temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1.0,"truncation":"disabled","usage":{"input_tokens":125,"input_tokens_details":{"cached_tokens":100,"cache_write_tokens":20},"output_tokens":30,"output_tokens_details":{"reasoning_tokens":3},"total_tokens":155},"user":null}"#]].assert_eq(ask(&server, PATH, &body).await.text());
}

#[tokio::test]
async fn stop_reasons() {
    let reasons = [
        (StopReason::EndTurn, json!(null)),
        (StopReason::ToolUse, json!(null)),
        (StopReason::Pause, json!(null)),
        (StopReason::StopSequence, json!(null)),
        (StopReason::MaxTokens, json!("max_output_tokens")),
        (StopReason::Refusal, json!("content_filter")),
        (StopReason::Other("steered".into()), json!("steered")),
    ];
    let twice = reasons.iter().flat_map(|(stop, _)| [stop, stop]);
    let answers = twice.map(|stop| Answer::text("x").stop(stop.clone()));
    let server = Server::start(answers.fold(Script::new(), Script::then)).await.unwrap();
    for (_, word) in &reasons {
        let whole = ask(&server, PATH, &hello(PATH, false)).await.json();
        assert_eq!(whole["incomplete_details"]["reason"], *word);
        let status = if word.is_null() { "completed" } else { "incomplete" };
        assert_eq!(whole["status"], status);
        let stream = ask(&server, PATH, &hello(PATH, true)).await;
        assert!(stream.text().contains(&format!("event: response.{status}\n")));
    }
}

#[tokio::test]
async fn errors() {
    let kinds = [
        ErrorKind::RateLimited { retry_after_s: None },
        ErrorKind::Overloaded,
        ErrorKind::TooLong { tokens: 9, limit: 8 },
    ];
    let script = kinds.iter().cloned().map(Answer::error).fold(Script::new(), Script::then);
    let script = script
        .then(Answer::error(ErrorKind::TooLong { tokens: 9, limit: 8 }))
        .then(Answer::text("hello").event_error(ErrorKind::Internal))
        .then(Answer::text("hello").event_error(ErrorKind::Overloaded));
    let server = Server::start(script).await.unwrap();
    let mut shown = String::new();
    for _ in &kinds {
        let response = ask(&server, PATH, &hello(PATH, false)).await;
        shown.push_str(&format!("{} {}\n", response.status, response.text()));
    }
    for _ in 0..2 {
        let response = ask(&server, PATH, &hello(PATH, true)).await;
        shown.push_str(&format!("{}\n{}", response.status, events(&response)));
    }
    let response = ask(&server, PATH, &hello(PATH, false)).await;
    shown.push_str(&format!("{} {}\n", response.status, response.text()));
    expect![[r#"
        429 {"error":{"message":"Rate limit reached for m on requests per min (RPM).","type":"requests","param":null,"code":"rate_limit_exceeded"}}
        503 {"error":{"message":"The server is currently overloaded with other requests. Sorry about that! You can retry your request.","type":"server_error","param":null,"code":"server_is_overloaded"}}
        400 {"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":null,"code":"context_length_exceeded"}}
        200
        {"type":"response.created","sequence_number":0,"response":{"status":"in_progress","output":[]}}
        {"type":"response.in_progress","sequence_number":1,"response":{"status":"in_progress","output":[]}}
        {"type":"response.failed","sequence_number":2,"response":{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again."},"output":[]}}
        200
        {"type":"response.created","sequence_number":0,"response":{"status":"in_progress","output":[]}}
        {"type":"response.in_progress","sequence_number":1,"response":{"status":"in_progress","output":[]}}
        {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"id":"msg_000000000000000000050000","type":"message","status":"in_progress","role":"assistant","content":[]}}
        {"type":"response.content_part.added","sequence_number":3,"item_id":"msg_000000000000000000050000","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}
        {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_000000000000000000050000","output_index":0,"content_index":0,"delta":"hello","logprobs":[]}
        {"type":"response.failed","sequence_number":5,"response":{"status":"failed","error":{"code":"server_error","message":"The server had an error while processing your request. Sorry about that!"},"output":[]}}
        503 {"error":{"message":"The server is currently overloaded with other requests. Sorry about that! You can retry your request.","type":"server_error","param":null,"code":"server_is_overloaded"}}
    "#]].assert_eq(&shown);
}

#[tokio::test]
async fn counting() {
    let server = Server::start(Script::new()).await.unwrap();
    let body = json!({"model": "m", "input": "x".repeat(398)});
    let response = ask(&server, "/v1/responses/input_tokens", &body).await;
    assert_eq!(response.text(), r#"{"object":"response.input_tokens","input_tokens":100}"#);
}
