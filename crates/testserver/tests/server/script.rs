//! Which answer is given to whom.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, ToolResult};
use throughline_testserver::{Answer, Script, Server};

use crate::client::{GENERATING, ask, hello};

#[tokio::test]
async fn answers_come_in_order_whatever_the_protocol() {
    let script = GENERATING.iter().fold(Script::new(), |script, path| script.then(Answer::text(path)));
    let server = Server::start(script).await.unwrap();
    for path in GENERATING {
        let response = ask(&server, path, &hello(path, false)).await;
        assert!(response.text().contains(&format!("{path:?}")), "{}", response.text());
    }
    for path in GENERATING {
        let response = ask(&server, path, &hello(path, true)).await;
        assert_eq!(response.status, 500);
        assert!(response.text().contains("the script is at its end"));
    }
    server.push(Answer::text("one more"));
    assert_eq!(ask(&server, "/api/chat", &hello("/api/chat", true)).await.status, 200);
}

#[tokio::test]
async fn the_last_answer_is_repeated_until_another_one_comes() {
    let script = Script::new().then(Answer::text("first")).then(Answer::text("second")).repeat_last();
    let server = Server::start(script).await.unwrap();
    let said = async || {
        ask(&server, "/api/chat", &hello("/api/chat", false)).await.json()["message"]["content"].clone()
    };
    assert_eq!([said().await, said().await, said().await], ["first", "second", "second"]);
    server.push(Answer::text("third"));
    assert_eq!([said().await, said().await, said().await], ["second", "third", "third"]);
}

#[tokio::test]
async fn an_unscripted_answer_takes_none_of_the_script() {
    let about_titles = |body: &Value| body.to_string().contains("title").then(|| Answer::text("A title"));
    let server =
        Server::start(Script::new().then(Answer::text("one")).unscripted(about_titles)).await.unwrap();
    let said = async |text: &str| {
        let mut body = hello("/api/chat", false);
        body["messages"][0]["content"] = json!(text);
        ask(&server, "/api/chat", &body).await.json()["message"]["content"].clone()
    };
    assert_eq!(
        [said("a title?").await, said("hi").await, said("a title?").await],
        ["A title", "one", "A title"]
    );
}

#[tokio::test]
async fn bodies_that_break_a_rule_are_refused_in_the_providers_form() {
    let server = Server::start(Script::new().then(Answer::text("x"))).await.unwrap();
    for (path, place, words) in [
        ("/v1/messages", "/error/message", "messages: at least one message is required"),
        ("/v1/chat/completions", "/error/message", "Invalid 'messages': empty array"),
        ("/v1/responses", "/error/message", "One of \"input\" or \"previous_response_id\""),
        ("/api/chat", "/error", "messages: must not be empty"),
    ] {
        let mut body = hello(path, true);
        let list = if path == "/v1/responses" { "input" } else { "messages" };
        body[list] = json!([]);
        let response = ask(&server, path, &body).await;
        assert_eq!(response.status, 400);
        let message = response.json().pointer(place).unwrap().as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
        assert_eq!(server.received().last().unwrap().faults, [message]);
    }
    // None of them took the answer.
    assert_eq!(ask(&server, "/api/chat", &hello("/api/chat", true)).await.status, 200);
}

#[tokio::test]
async fn a_lenient_server_notes_faults_and_answers() {
    let server = Server::start(Script::new().lenient().then(Answer::text("x")).repeat_last()).await.unwrap();
    for path in GENERATING {
        let response = ask(&server, path, &json!({})).await;
        assert_eq!(response.status, 200, "{path} {}", response.text());
        assert!(server.received().last().unwrap().faults.len() > 1);
    }
}

#[tokio::test]
async fn a_block_that_no_model_says_is_an_error_of_the_script() {
    let result = ContentBlock::ToolResult(ToolResult::text("c1", "fine"));
    let server = Server::start(Script::new().then(Answer::blocks(vec![result]))).await.unwrap();
    let response = ask(&server, "/v1/messages", &hello("/v1/messages", true)).await;
    assert_eq!(response.status, 500);
    assert!(response.text().contains("a block that no model says"));
}

#[tokio::test]
async fn plain_answers_with_headers() {
    let script = Script::new()
        .then(Answer::status(503, json!({"a": 1})).header("Retry-After", "3").header("x-evil", "a\r\nb: c"))
        .then(Answer::html(502, "<html>bad</html>"))
        .then(
            Answer::raw("text/event-stream", b"event: x\r\ndata: 1\r\n\r\ndata: 2\n\nrest".to_vec())
                .cut_after(1),
        )
        .then(Answer::raw("application/x-ndjson", vec![b'1', b'\n', 0xff]).header("content-type", "other"));
    let server = Server::start(script).await.unwrap();
    let ask = async || ask(&server, "/v1/messages", &hello("/v1/messages", true)).await;
    let response = ask().await;
    assert_eq!(
        (response.status, response.text(), response.header("retry-after")),
        (503, "{\"a\":1}", Some("3"))
    );
    assert_eq!(response.header("x-evil"), Some("ab: c"));
    let response = ask().await;
    assert_eq!((response.status, response.text()), (502, "<html>bad</html>"));
    assert_eq!(response.header("content-type"), Some("text/html; charset=utf-8"));
    let response = ask().await;
    assert_eq!((response.text(), response.whole), ("event: x\r\ndata: 1\r\n\r\ndata:", false));
    let response = ask().await;
    assert_eq!((response.body.as_slice(), response.whole), (&b"1\n\xff"[..], true));
    assert_eq!(response.headers.iter().filter(|(name, _)| name == "content-type").count(), 1);
    assert_eq!(response.header("content-type"), Some("other"));
}
