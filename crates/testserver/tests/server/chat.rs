//! OpenAI's Chat Completions API, as bytes.

use expect_test::expect;
use serde_json::json;
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Thinking, ToolCall, Usage};
use throughline_testserver::{Answer, Demand, ErrorKind, Script, Server};

use crate::client::{Client, ask, events, hello};

const PATH: &str = "/v1/chat/completions";

fn everything() -> Answer {
    let thinking = Thinking { text: "hm".to_owned(), signature: None, redacted: None };
    Answer::blocks(vec![
        ContentBlock::Thinking(thinking),
        ContentBlock::Text { text: "Смотрю.".to_owned() },
        ContentBlock::ToolCall(ToolCall { id: "c1".into(), name: "read".into(), input: json!({"a": 1}) }),
        ContentBlock::ToolCall(ToolCall { id: "c2".into(), name: "list".into(), input: json!({}) }),
    ])
    .usage(Usage { input: 5, cache_read: 100, cache_write: 20, output: 30, searches: 0 })
}

#[tokio::test]
async fn a_stream_with_usage() {
    let server = Server::start(Script::new().then(everything())).await.unwrap();
    let mut body = hello(PATH, true);
    body["stream_options"] = json!({"include_usage": true});
    let response = ask(&server, PATH, &body).await;
    assert_eq!(response.header("x-request-id"), Some("req_000000000000000000000001"));
    expect![[r#"
        data: {…"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{"reasoning_content":"hm"},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{"content":"Смотр"},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{"content":"ю."},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"read","arguments":""}}]},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"list","arguments":""}}]},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]},"logprobs":null,"finish_reason":null}],"usage":null}
        data: {…"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"tool_calls"}],"usage":null}
        data: {…"choices":[],"usage":{"prompt_tokens":125,"completion_tokens":30,"total_tokens":155,"prompt_tokens_details":{"cached_tokens":100,"cache_write_tokens":20,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":1,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}}
        data: [DONE]
    "#]].assert_eq(&events(&response).replace(
        r#""id":"chatcmpl-000000000000000000000001","object":"chat.completion.chunk","created":1767225600,"model":"m","service_tier":"default","system_fingerprint":"fp_0000000000","#,
        "…",
    ));
}

#[tokio::test]
async fn usage_comes_only_when_it_is_asked_for() {
    let server = Server::start(Script::new().then(everything()).then(everything().no_usage())).await.unwrap();
    let response = ask(&server, PATH, &hello(PATH, true)).await;
    assert!(!response.text().contains("usage"));
    assert!(response.text().ends_with("\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"));
    let mut body = hello(PATH, true);
    body["stream_options"] = json!({"include_usage": true});
    let response = ask(&server, PATH, &body).await;
    assert!(!response.text().contains("prompt_tokens"));
}

#[tokio::test]
async fn a_whole_completion() {
    let server = Server::start(Script::new().then(everything())).await.unwrap();
    expect![[r#"{"id":"chatcmpl-000000000000000000000001","object":"chat.completion","created":1767225600,"model":"m","service_tier":"default","system_fingerprint":"fp_0000000000","choices":[{"index":0,"message":{"role":"assistant","content":"Смотрю.","refusal":null,"annotations":[],"reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"a\":1}"}},{"id":"c2","type":"function","function":{"name":"list","arguments":"{}"}}]},"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":125,"completion_tokens":30,"total_tokens":155,"prompt_tokens_details":{"cached_tokens":100,"cache_write_tokens":20,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":1,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}}"#]].assert_eq(ask(&server, PATH, &hello(PATH, false)).await.text());
}

#[tokio::test]
async fn stop_reasons() {
    let reasons = [
        (StopReason::EndTurn, "stop"),
        (StopReason::ToolUse, "tool_calls"),
        (StopReason::MaxTokens, "length"),
        (StopReason::StopSequence, "stop"),
        (StopReason::Refusal, "content_filter"),
        (StopReason::Pause, "stop"),
        (StopReason::Other("insufficient_system_resource".into()), "insufficient_system_resource"),
    ];
    let answers = reasons.iter().map(|(stop, _)| Answer::text("x").stop(stop.clone()));
    let server = Server::start(answers.fold(Script::new(), Script::then)).await.unwrap();
    for (_, word) in &reasons {
        let completion = ask(&server, PATH, &hello(PATH, false)).await.json();
        assert_eq!(completion["choices"][0]["finish_reason"], *word);
    }
}

#[tokio::test]
async fn errors() {
    let kinds = [
        ErrorKind::RateLimited { retry_after_s: Some(7) },
        ErrorKind::Overloaded,
        ErrorKind::Internal,
        ErrorKind::TooLong { tokens: 9, limit: 8 },
        ErrorKind::Unauthorized,
        ErrorKind::NotFound,
    ];
    let script = kinds.iter().cloned().map(Answer::error).fold(Script::new(), Script::then);
    let server =
        Server::start(script.then(Answer::text("hello").event_error(ErrorKind::Internal))).await.unwrap();
    let mut shown = String::new();
    for _ in &kinds {
        let response = ask(&server, PATH, &hello(PATH, true)).await;
        let wait = response.header("retry-after").unwrap_or("-").to_owned();
        shown.push_str(&format!("{} {wait} {}\n", response.status, response.text()));
    }
    expect![[r#"
        429 7 {"error":{"message":"Rate limit reached for m on requests per min (RPM). Please try again in 7s.","type":"requests","param":null,"code":"rate_limit_exceeded"}}
        503 - {"error":{"message":"The server is currently overloaded with other requests. Sorry about that! You can retry your request.","type":"server_error","param":null,"code":"server_is_overloaded"}}
        500 - {"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":"server_error"}}
        400 - {"error":{"message":"This model's maximum context length is 8 tokens. However, your messages resulted in 9 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":null,"code":"context_length_exceeded"}}
        401 - {"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}
        404 - {"error":{"message":"The model `m` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}
    "#]].assert_eq(&shown);
    let response = ask(&server, PATH, &hello(PATH, true)).await;
    assert_eq!(response.text().matches("\"content\":\"hello\"").count(), 1);
    assert!(
        response.text().ends_with("\"type\":\"server_error\",\"param\":null,\"code\":\"server_error\"}}\n\n")
    );
}

#[tokio::test]
async fn keys_are_bearers() {
    let script = Script::new().key("sk-0123456789abcdef").then(Answer::text("x")).repeat_last();
    let server = Server::start(script).await.unwrap();
    let mut shown = String::new();
    for headers in [
        &[][..],
        &["x-api-key: sk-0123456789abcdef"],
        &["Authorization: Bearer sk-9876543210fedcba"],
        &["Authorization: Bearer short"],
        &["Authorization: Bearer sk-0123456789abcdef"],
    ] {
        let response = Client::new(&server).await.ask(PATH, headers, &hello(PATH, false)).await;
        let error = &response.json()["error"];
        shown.push_str(&format!("{} {} {}\n", response.status, error["code"], error["message"]));
    }
    expect![[r#"
        401 null "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
        401 null "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
        401 "invalid_api_key" "Incorrect API key provided: sk-98765*******dcba."
        401 "invalid_api_key" "Incorrect API key provided: *****."
        200 null null
    "#]].assert_eq(&shown);
    // A refused request takes no answer, and is noted.
    assert_eq!(server.received().len(), 5);
}

#[tokio::test]
async fn models() {
    let server = Server::start(Script::new().model("a", 100)).await.unwrap();
    let list = Client::new(&server).await.get("/v1/models", &[]).await;
    expect![[r#"{"object":"list","data":[{"id":"a","object":"model","created":1767225600,"owned_by":"testserver","max_model_len":100}]}"#]]
        .assert_eq(list.text());
    let response = ask(&server, PATH, &hello(PATH, true)).await;
    assert_eq!((response.status, response.json()["error"]["code"].clone()), (404, json!("model_not_found")));
}

#[tokio::test]
async fn server_specific_fields_are_sent_under_their_own_names() {
    let thinking = |signature: &str, text: &str, redacted: Option<&str>| {
        let (signature, redacted) = (Some(signature.to_owned()), redacted.map(str::to_owned));
        ContentBlock::Thinking(Thinking { text: text.to_owned(), signature, redacted })
    };
    let call =
        |id: &str| ContentBlock::ToolCall(ToolCall { id: id.into(), name: "read".into(), input: json!({}) });
    let signed = r#"{"google":{"thought_signature":"Ag="}}"#;
    let answer = Answer::blocks(vec![
        thinking("reasoning", "hm", None),
        thinking("extra_content", "", Some(signed)),
        call("c1"),
        call("c2"),
    ]);
    let server = Server::start(Script::new().then(answer).repeat_last()).await.unwrap();
    let stream = ask(&server, PATH, &hello(PATH, true)).await;
    let whole = ask(&server, PATH, &hello(PATH, false)).await;
    for (said, field) in
        [(stream.text(), "\"delta\":{\"reasoning\":\"hm\"}"), (whole.text(), "\"reasoning\":\"hm\"")]
    {
        assert!(said.contains(field) && !said.contains("reasoning_content"), "{said}");
        assert_eq!(said.matches(&format!("\"extra_content\":{signed}")).count(), 1, "{said}");
    }
    let calls = &whole.json()["choices"][0]["message"]["tool_calls"];
    assert_eq!((calls[0]["id"].as_str(), calls[0]["extra_content"].is_object()), (Some("c1"), true));
    assert_eq!(calls[1].get("extra_content"), None);
}

#[tokio::test]
async fn a_model_wants_back_what_was_its_own() {
    let function = json!({"name": "read", "arguments": "{}"});
    let mut body = hello(PATH, false);
    let messages = body["messages"].as_array_mut().unwrap();
    let call = json!({"id": "c1", "type": "function", "function": function});
    messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
    messages.push(json!({"role": "tool", "tool_call_id": "c1", "content": "fine"}));
    let says = [
        (
            Demand::Thinking,
            "thinking is enabled but reasoning_content is missing in assistant tool call message",
        ),
        (Demand::Signatures, "Function call is missing a thought_signature in functionCall parts."),
    ];
    for (demand, words) in says {
        let server = Server::start(Script::new().demands(demand).then(Answer::text("x"))).await.unwrap();
        let response = ask(&server, PATH, &body).await;
        assert!(response.status == 400 && response.text().contains(words), "{}", response.text());
        let mut whole = body.clone();
        whole["messages"][1]["reasoning_content"] = json!(" ");
        whole["messages"][1]["tool_calls"][0]["extra_content"] =
            json!({"google": {"thought_signature": "Ag="}});
        // The refusal took no answer.
        assert_eq!(ask(&server, PATH, &whole).await.status, 200);
    }
}
