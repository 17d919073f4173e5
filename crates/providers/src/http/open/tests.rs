//! What each response becomes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use expect_test::{Expect, expect};
use futures_util::stream;
use throughline_wire::Wire;

use super::*;
use crate::http::{Key, MockTransport};

const KEY: &str = "canary/4711+abcdef";

fn endpoint() -> Endpoint {
    Endpoint::new("https://api.example.com").unwrap().with_key(Key::new(KEY))
}

fn request() -> HttpRequest {
    let headers = vec![("x-api-key".to_owned(), Key::new(KEY))];
    HttpRequest { url: "https://api.example.com/v1/messages".to_owned(), headers, body: Bytes::from("{}") }
}

fn answer(status: u16, content_type: &str, body: &str) -> HttpAnswer {
    let pieces: Vec<_> = body.as_bytes().chunks(7).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    HttpAnswer {
        status,
        content_type: content_type.to_owned(),
        retry_after: None,
        retry_after_ms: None,
        should_retry: None,
        request_id: Some("req_1".to_owned()),
        location: None,
        body: stream::iter(pieces).boxed(),
    }
}

fn nothing(content_type: &str) -> HttpAnswer {
    answer(200, content_type, "")
}

fn gives(result: Result<HttpAnswer, TransportError>) -> MockTransport {
    let result = Mutex::new(Some(result));
    let mut transport = MockTransport::new();
    transport.expect_send().times(1).returning(move |_| result.lock().unwrap().take().unwrap());
    transport
}

/// The error of one response; checks that it is one line without the key.
async fn check(result: Result<HttpAnswer, TransportError>, after: Expect) {
    let transport = gives(result);
    let Err(error) =
        open("anthropic", &transport, &endpoint(), request(), AnswerStream::new(Wire::Anthropic)).await
    else {
        panic!("a stream")
    };
    let shown = format!("{error:?}");
    assert!(!shown.contains("4711"), "{shown}");
    after.assert_eq(&shown);
}

#[tokio::test]
async fn a_success_that_is_no_stream_is_an_error_with_a_hint() {
    check(
        Ok(answer(200, "text/html; charset=utf-8", "<html><title>Sign in</title>")),
        expect![[r#"InvalidRequest { message: "api.example.com answered with an HTML page instead of anthropic's API; check the base URL and any proxy or login page in between" }"#]],
    )
    .await;
    check(
        Ok(answer(200, "application/json", "{almost")),
        expect![[r#"InvalidRequest { message: "api.example.com answered with something that is no JSON instead of anthropic's API; check the base URL and any proxy or login page in between" }"#]],
    )
    .await;
    check(
        Ok(answer(200, "application/json", r#"{"type":"message","content":[]}"#)),
        expect![[r#"InvalidRequest { message: "api.example.com answered with one JSON document that is no answer of anthropic's API; check the base URL and any proxy in between" }"#]],
    )
    .await;
    check(
        Ok(answer(
            200,
            "application/json",
            r#"{"error":{"type":"overloaded_error","message":"canary\/4711+abcdef is too much"}}"#,
        )),
        expect![[r#"Unavailable { message: "[key] is too much", retry_after_ms: None }"#]],
    )
    .await;
}

#[tokio::test]
async fn a_stream_under_another_name_is_read_all_the_same() {
    let said = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    for kind in ["text/plain", "Text/Plain; charset=utf-8", "application/octet-stream"] {
        for body in [said.to_owned(), format!(": hi\n\n{said}"), format!("\u{feff}{said}")] {
            let answer = answer(200, kind, &body);
            let pieces: Vec<_> = body.bytes().map(|byte| Ok(Bytes::copy_from_slice(&[byte]))).collect();
            let slow = HttpAnswer { body: stream::iter(pieces).boxed(), ..nothing(kind) };
            for answer in [answer, slow] {
                let opened = open(
                    "anthropic",
                    &gives(Ok(answer)),
                    &endpoint(),
                    request(),
                    AnswerStream::new(Wire::Anthropic),
                )
                .await;
                let events: Vec<_> = opened.unwrap_or_else(|error| panic!("{kind}: {error}")).collect().await;
                assert_eq!(events.len(), 1, "{events:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_no_stream_is_refused_whatever_its_name() {
    for (kind, body) in [
        ("text/plain", "Welcome to this server"),
        ("text/plain", "dat"),
        ("text/plain", ""),
        ("text/plain", "{\"type\":\"message\"}"),
        ("application/octet-stream", "<html>data: "),
        ("text/html", "data: {}\n\n"),
    ] {
        let transport = gives(Ok(answer(200, kind, body)));
        let opened =
            open("anthropic", &transport, &endpoint(), request(), AnswerStream::new(Wire::Anthropic)).await;
        let Err(error) = opened else { panic!("{kind}: {body}") };
        assert!(matches!(&error, ModelError::InvalidRequest { .. }), "{error:?}");
        assert!(error.to_string().contains("base URL"), "{error}");
    }
    // Lines of JSON are what Ollama's stream is made of.
    let line = "{\"message\":{\"content\":\"hi\"},\"done\":true,\"done_reason\":\"stop\"}\n";
    let transport = gives(Ok(answer(200, "text/plain", line)));
    assert!(open("ollama", &transport, &endpoint(), request(), AnswerStream::ollama("a-")).await.is_ok());
}

#[tokio::test]
async fn no_more_is_read_than_it_takes_to_tell() {
    let blanks = " ".repeat(256);
    for (piece, is_stream, reads) in
        [(&*blanks, false, MOST_OF_AN_ERROR / blanks.len()), ("Welcome", false, 2), ("data: {}", true, 1)]
    {
        let read = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&read);
        let bytes = Bytes::copy_from_slice(piece.as_bytes());
        let endless = stream::repeat_with(move || {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(bytes.clone())
        });
        let answer = HttpAnswer { body: endless.boxed(), ..nothing("text/plain") };
        let opened =
            open("anthropic", &gives(Ok(answer)), &endpoint(), request(), AnswerStream::new(Wire::Anthropic))
                .await;
        assert_eq!((opened.is_ok(), read.load(Ordering::SeqCst)), (is_stream, reads), "{piece:?}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let moved = HttpAnswer { location: Some("https://evil.example/v1".to_owned()), ..answer(307, "", "") };
    check(
        Ok(moved),
        expect![[r#"InvalidRequest { message: "anthropic at api.example.com redirects to evil.example (HTTP 307), which is not followed because the key would go along; set the base URL to the address that answers" }"#]],
    )
    .await;
}

#[tokio::test]
async fn a_refusal_is_read_up_to_a_limit_and_cleared_of_the_key() {
    let body = format!(r#"{{"error":{{"type":"authentication_error","message":"bad key {KEY}"}}}}"#);
    check(
        Ok(answer(401, "application/json", &body)),
        expect![[r#"Unauthorized { message: "bad key [key]" }"#]],
    )
    .await;
    let escaped = r#"{"error":{"type":"authentication_error","message":"bad key canary\/4711\u002babcdef"}}"#;
    check(
        Ok(answer(403, "application/json", escaped)),
        expect![[r#"Unauthorized { message: "bad key [key]" }"#]],
    )
    .await;
    // The message is cut inside of where the key was.
    for key in [KEY, "canary%2F4711%2Babcdef", "canary%2f4711%2babcdef"] {
        let long = format!("{}{key}", "x".repeat(490));
        let transport = gives(Ok(answer(502, "text/plain", &long)));
        match open("anthropic", &transport, &endpoint(), request(), AnswerStream::new(Wire::Anthropic)).await
        {
            Err(ModelError::Unavailable { message, .. }) => {
                assert!(message.ends_with("xxx[key]"), "{message}");
            }
            Err(other) => panic!("{other:?}"),
            Ok(_) => panic!("a stream"),
        }
    }
    let endless = HttpAnswer {
        body: stream::repeat_with(|| Ok(Bytes::from_static(b"no end "))).boxed(),
        ..answer(503, "text/plain", "")
    };
    let transport = gives(Ok(endless));
    let error =
        open("anthropic", &transport, &endpoint(), request(), AnswerStream::new(Wire::Anthropic)).await;
    assert!(matches!(error, Err(ModelError::Unavailable { .. })));
}

#[tokio::test]
async fn a_request_without_a_response_names_the_host_and_a_hint() {
    let says = |message: &str| message.to_owned();
    check(
        Err(TransportError::Unreachable { message: says("connection refused") }),
        expect![[r#"Unavailable { message: "anthropic at api.example.com cannot be reached (connection refused); is it running, and are the base URL and the network right?", retry_after_ms: None }"#]],
    )
    .await;
    check(
        Err(TransportError::Broken { message: says("reset, after canary/4711+abcdef") }),
        expect![[r#"Unavailable { message: "anthropic at api.example.com closed the connection before it answered (reset, after [key]); try again", retry_after_ms: None }"#]],
    )
    .await;
    check(Err(TransportError::Other("no such header".into())), expect![[r#"Other("no such header")"#]]).await;
}

/// A server that takes the connection and then says nothing.
#[derive(Debug)]
struct Silent;

#[async_trait::async_trait]
impl Transport for Silent {
    async fn send(&self, _: HttpRequest) -> Result<HttpAnswer, TransportError> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_byte_is_not_waited_for_without_end() {
    let mut endpoint = endpoint();
    endpoint.timeouts.first_byte = Duration::from_secs(300);
    let Err(error) =
        open("anthropic", &Silent, &endpoint, request(), AnswerStream::new(Wire::Anthropic)).await
    else {
        panic!("a stream")
    };
    expect![
        "the provider timed out: no data from anthropic at api.example.com for 300 s; raise it with --timeout"
    ]
    .assert_eq(&error.to_string());
}

#[tokio::test(start_paused = true)]
async fn a_refusal_that_breaks_off_is_reported_by_its_beginning() {
    let half = stream::iter([Ok(Bytes::from_static(b"try later"))]).chain(stream::pending());
    let answer = HttpAnswer { body: half.boxed(), ..answer(503, "text/plain", "") };
    check(Ok(answer), expect![[r#"Unavailable { message: "try later", retry_after_ms: None }"#]]).await;
}

#[tokio::test]
async fn one_value_is_read_whole_or_not_at_all() {
    let ask = async |answer| json("anthropic", &gives(Ok(answer)), &endpoint(), request()).await;
    let value = ask(answer(200, "application/json", r#"{"input_tokens": 7}"#)).await.unwrap();
    assert_eq!(value, serde_json::json!({"input_tokens": 7}));
    let error = ask(answer(200, "text/html", "<html>")).await.unwrap_err();
    assert!(matches!(error, ModelError::InvalidRequest { .. }), "{error:?}");
    let text = |bytes: usize| format!("\"{}\"", "x".repeat(bytes - 2));
    let longest = ask(answer(200, "application/json", &text(8 * 1024 * 1024))).await.unwrap();
    assert_eq!(longest.as_str().map(str::len), Some(8 * 1024 * 1024 - 2));
    let error = ask(answer(200, "application/json", &text(8 * 1024 * 1024 + 1))).await.unwrap_err();
    assert!(matches!(error, ModelError::Interrupted { .. }), "a value of more than 8 MiB");
}

#[tokio::test]
async fn a_dummy_key_that_is_a_word_of_the_message_does_not_change_what_it_means() {
    for key in ["x", "error", "token", "exceeds the", "available context size"] {
        let endpoint = Endpoint::new("http://localhost:8080").unwrap().with_key(Key::new(key));
        let said = r#"{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"invalid_request_error"}}"#;
        let transport = gives(Ok(answer(400, "application/json", said)));
        match open("compatible", &transport, &endpoint, request(), AnswerStream::new(Wire::Anthropic)).await {
            Err(ModelError::Overflow { limit, message, .. }) => {
                assert_eq!(limit, Some(8_192));
                assert!(key.len() >= 8 || message.contains(key) || key == "error", "{message}");
                assert!(!message.contains("[["), "{message}");
            }
            Err(other) => panic!("{key}: {other:?}"),
            Ok(_) => panic!("a stream"),
        }
    }
}

#[tokio::test]
async fn a_whole_answer_of_a_server_that_does_not_stream_is_read() {
    let said = r#"{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"Hello."},{"type":"tool_use","id":"t1","name":"read","input":{"path":"a"}}],"stop_reason":"tool_use","usage":{"input_tokens":7,"output_tokens":3}}"#;
    let transport = gives(Ok(answer(200, "application/json", said)));
    let stream = open("anthropic", &transport, &endpoint(), request(), AnswerStream::new(Wire::Anthropic))
        .await
        .unwrap();
    let shown: Vec<String> = stream.map(|event| format!("{:?}\n", event.unwrap())).collect().await;
    expect![[r#"
        Usage(Usage { input: 7, cache_read: 0, cache_write: 0, output: 3, searches: 0 })
        ThinkingDelta("hm")
        Block(Thinking(Thinking { text: "hm", signature: Some("s"), redacted: None }))
        TextDelta("Hello.")
        Block(Text { text: "Hello." })
        Block(ToolCall(ToolCall { id: "t1", name: "read", input: Object {"path": String("a")} }))
        Finished(ToolUse)
    "#]]
    .assert_eq(&shown.concat());
}

#[tokio::test]
async fn a_rejected_key_is_named_by_its_place() {
    let mut endpoint = endpoint();
    endpoint.key_place = Some("ANTHROPIC_API_KEY".to_owned());
    let refused = async |status| {
        let said = r#"{"error":{"message":"no such key"}}"#;
        let transport = gives(Ok(answer(status, "application/json", said)));
        let opened =
            open("anthropic", &transport, &endpoint, request(), AnswerStream::new(Wire::Anthropic)).await;
        opened.err().unwrap().to_string()
    };
    let says = refused(401).await;
    assert!(says.ends_with("no such key; the key that was sent is from ANTHROPIC_API_KEY"), "{says}");
    assert!(refused(403).await.ends_with("no such key"));
}

#[tokio::test]
async fn a_server_without_tls_is_said_and_not_asked_again() {
    let message =
        "error sending request: client error (Connect): received corrupt message of type InvalidContentType";
    let transport = gives(Err(TransportError::Unreachable { message: message.to_owned() }));
    let opened =
        open("anthropic", &transport, &endpoint(), request(), AnswerStream::new(Wire::Anthropic)).await;
    let error = opened.err().unwrap();
    assert!(matches!(error, ModelError::NoRetry { .. }), "{error:?}");
    assert!(error.to_string().contains("does not speak TLS"), "{error}");
    assert!(error.to_string().contains("write http:// in the base URL"), "{error}");
}
