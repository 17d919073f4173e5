//! Ollama's API, as bytes.

use expect_test::expect;
use serde_json::json;
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Thinking, ToolCall, Usage};
use throughline_testserver::{Answer, ErrorKind, Script, Server};

use crate::client::{Client, ask, events, hello};

const PATH: &str = "/api/chat";

fn everything() -> Answer {
    let thinking = Thinking { text: "hm".to_owned(), signature: None, redacted: None };
    Answer::blocks(vec![
        ContentBlock::Thinking(thinking),
        ContentBlock::Text { text: "Смотрю.".to_owned() },
        ContentBlock::ToolCall(ToolCall { id: "c1".into(), name: "read".into(), input: json!({"a": 1}) }),
    ])
    .usage(Usage { input: 5, cache_read: 100, cache_write: 20, output: 30, searches: 0 })
}

#[tokio::test]
async fn lines_and_a_whole_answer() {
    let server = Server::start(Script::new().then(everything()).repeat_last()).await.unwrap();
    // It streams unless it is shown not to.
    let mut body = hello(PATH, true);
    body.as_object_mut().unwrap().remove("stream");
    let response = ask(&server, PATH, &body).await;
    assert_eq!(response.header("content-type"), Some("application/x-ndjson"));
    expect![[r#"
        {"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}
        {"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Смотр"},"done":false}
        {"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"ю."},"done":false}
        {"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"index":0,"name":"read","arguments":{"a":1}}}]},"done":false}
        {"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":155000000,"load_duration":1000000,"prompt_eval_count":125,"prompt_eval_cached_count":100,"prompt_eval_duration":125000000,"eval_count":30,"eval_duration":30000000}
    "#]].assert_eq(&events(&response));
    let response = ask(&server, PATH, &hello(PATH, false)).await;
    assert_eq!(response.header("content-type"), Some("application/json"));
    expect![[r#"{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"Смотрю.","thinking":"hm","tool_calls":[{"id":"c1","function":{"index":0,"name":"read","arguments":{"a":1}}}]},"done":true,"done_reason":"stop","total_duration":155000000,"load_duration":1000000,"prompt_eval_count":125,"prompt_eval_cached_count":100,"prompt_eval_duration":125000000,"eval_count":30,"eval_duration":30000000}"#]].assert_eq(response.text());
}

#[tokio::test]
async fn a_long_prompt_is_cut_in_silence() {
    let script = Script::new().cuts_at(1000).then(Answer::text("x")).repeat_last();
    let server = Server::start(script).await.unwrap();
    let count = async |letters: usize| {
        let mut body = hello(PATH, false);
        body["messages"][0]["content"] = json!("x".repeat(letters));
        let response = ask(&server, PATH, &body).await;
        assert_eq!(response.status, 200);
        response.json()["prompt_eval_count"].clone()
    };
    // Around the text stand 30 bytes.
    assert_eq!(count(3970).await, 1000);
    assert_eq!(count(3971).await, 502);
    assert_eq!(count(400_000).await, 502);
    // What a script reports is cut too, and nothing stays nothing.
    server.push(Answer::text("x").usage(Usage { input: 5000, output: 3, ..Usage::default() }));
    assert_eq!(count(4000).await, 502);
    server.push(Answer::text("x").no_usage());
    assert_eq!(count(4000).await, 502);
    assert_eq!(count(4000).await, json!(null));
}

#[tokio::test]
async fn reasons_and_errors() {
    let kinds = [
        ErrorKind::RateLimited { retry_after_s: Some(7) },
        ErrorKind::Overloaded,
        ErrorKind::Internal,
        ErrorKind::TooLong { tokens: 9, limit: 8 },
        ErrorKind::Unauthorized,
        ErrorKind::NotFound,
    ];
    let script = kinds.iter().cloned().map(Answer::error).fold(Script::new(), Script::then);
    let script = script
        .then(Answer::text("x").stop(StopReason::MaxTokens))
        .then(Answer::text("x").stop(StopReason::Other("load".into())))
        .then(Answer::text("hello").event_error(ErrorKind::Internal));
    let server = Server::start(script).await.unwrap();
    let mut shown = String::new();
    for _ in &kinds {
        let response = ask(&server, PATH, &hello(PATH, true)).await;
        shown.push_str(&format!("{} {}\n", response.status, response.text()));
    }
    expect![[r#"
        429 {"error":"too many requests"}
        503 {"error":"server busy, please try again.  maximum pending requests exceeded"}
        500 {"error":"model runner has unexpectedly stopped"}
        400 {"error":"the input length exceeds the context length"}
        401 {"error":"unauthorized"}
        404 {"error":"model 'm' not found"}
    "#]]
    .assert_eq(&shown);
    assert_eq!(ask(&server, PATH, &hello(PATH, false)).await.json()["done_reason"], "length");
    assert_eq!(ask(&server, PATH, &hello(PATH, false)).await.json()["done_reason"], "load");
    let response = ask(&server, PATH, &hello(PATH, true)).await;
    assert!(response.text().ends_with("\n{\"error\":\"model runner has unexpectedly stopped\"}\n"));
}

#[tokio::test]
async fn models_are_listed_shown_and_pulled() {
    let server = Server::start(Script::new().key("ignored").model("small:latest", 8192)).await.unwrap();
    let mut client = Client::new(&server).await;
    expect!["Ollama is running"].assert_eq(client.get("/", &[]).await.text());
    expect![[r#"{"version":"0.12.6"}"#]].assert_eq(client.get("/api/version", &[]).await.text());
    expect![[r#"{"models":[{"name":"small:latest","model":"small:latest","modified_at":"2026-01-01T00:00:00Z","size":2019393189,"digest":"a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72","details":{"parent_model":"","format":"gguf","family":"llama","families":["llama"],"parameter_size":"3.2B","quantization_level":"Q4_K_M"}}]}"#]].assert_eq(client.get("/api/tags", &[]).await.text());
    // A name without a tag is the tag `latest`.
    expect![[r#"{"license":"","modelfile":"FROM small:latest","parameters":"","template":"{{ .Prompt }}","details":{"parent_model":"","format":"gguf","family":"llama","families":["llama"],"parameter_size":"3.2B","quantization_level":"Q4_K_M"},"model_info":{"general.architecture":"llama","general.parameter_count":3212749888,"llama.context_length":8192},"capabilities":["completion","tools","thinking"],"modified_at":"2026-01-01T00:00:00Z"}"#]].assert_eq(client.ask("/api/show", &[], &json!({"model": "small"})).await.text());
    let none = client.ask("/api/show", &[], &json!({"model": "big"})).await;
    expect![[r#"{"error":"model 'big' not found"}"#]].assert_eq(none.text());
    assert_eq!(none.status, 404);
    let pulled = client.ask("/api/pull", &[], &json!({"model": "small"})).await;
    expect![[r#"
        {"status":"pulling manifest"}
        {"status":"pulling a80c4f17acd5","digest":"sha256:a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72","total":2019393189,"completed":0}
        {"status":"pulling a80c4f17acd5","digest":"sha256:a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72","total":2019393189,"completed":1009696594}
        {"status":"pulling a80c4f17acd5","digest":"sha256:a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72","total":2019393189,"completed":2019393189}
        {"status":"verifying sha256 digest"}
        {"status":"writing manifest"}
        {"status":"success"}
    "#]].assert_eq(pulled.text());
    let none = client.ask("/api/pull", &[], &json!({"model": "big"})).await;
    expect![[r#"
        {"status":"pulling manifest"}
        {"error":"pull model manifest: file does not exist"}
    "#]]
    .assert_eq(none.text());
    let whole = client.ask("/api/pull", &[], &json!({"model": "small", "stream": false})).await;
    expect![[r#"{"status":"success"}"#]].assert_eq(whole.text());
    let chat = client.ask(PATH, &[], &hello(PATH, true)).await;
    assert_eq!((chat.status, chat.text()), (404, r#"{"error":"model 'm' not found"}"#));
}
