//! Ollama: its chat API, and its models.

#![expect(clippy::unwrap_used, reason = "a client that breaks the contract fails the test")]

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use throughline_completion::{CompletionEvent, CompletionRequest, ModelError, StopReason};
use throughline_conversation::{Message, Thinking, TokenCounter, ToolResult, Usage};
use throughline_providers::http::{Endpoint, Key, ReqwestTransport, Timeouts};
use throughline_providers::ollama::{Ollama, OllamaError, OllamaModel};
use throughline_testserver::{Answer, Script, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::contract::{Wire, answer, failure, hello, info, only, request};

/// Four bytes a token, as the server counts.
#[derive(Debug)]
struct Bytes4;

impl TokenCounter for Bytes4 {
    fn text(&self, text: &str) -> u64 {
        text.len() as u64 / 4
    }
}

const WIRE: Wire = Wire {
    model: |endpoint| Arc::new(model(endpoint)),
    keyed: false,
    ids: false,
    gives_back: None,
    thinking: |sent| Thinking { signature: None, ..sent },
    // The server keeps the last prefix, and that costs nothing.
    usage: |sent| Usage { input: sent.input + sent.cache_write, cache_write: 0, ..sent },
    stops: &[(StopReason::EndTurn, StopReason::EndTurn), (StopReason::MaxTokens, StopReason::MaxTokens)],
    limit: false,
};

crate::suite!(by_reqwest, WIRE);

pub(crate) fn model(endpoint: Endpoint) -> OllamaModel {
    OllamaModel::new(info("ollama"), endpoint, Arc::new(ReqwestTransport::default()), Arc::new(Bytes4))
}

// S3-31
#[tokio::test]
async fn a_request_names_the_window_and_asks_not_to_be_cut() {
    for base in ["", "/api", "/api/"] {
        let server = WIRE.server([Answer::text("ok")]).await;
        let endpoint = Endpoint::new(&format!("{}{base}", server.url())).unwrap();
        answer(&model(endpoint), &hello()).await;
        let received = only(&server);
        assert_eq!((received.method.as_str(), received.path.as_str()), ("POST", "/api/chat"));
        assert_eq!(received.body["options"], json!({"num_ctx": 8_192, "num_predict": 512}));
        assert_eq!((&received.body["truncate"], &received.body["shift"]), (&json!(false), &json!(false)));
        assert_eq!(received.body.get("keep_alive"), None);
        assert_eq!(received.header("authorization"), None);
    }
}

#[tokio::test]
async fn a_proxy_in_front_gets_its_key() {
    let server = WIRE.server([Answer::text("ok")]).await;
    let endpoint = Endpoint::new(&server.url()).unwrap().with_key(Key::new("tenant-key"));
    answer(&model(endpoint), &hello()).await;
    assert_eq!(only(&server).header("authorization"), Some("Bearer tenant-key"));
}

#[tokio::test]
async fn ids_are_made_and_stay() {
    let calls = Answer::call("", "read", json!({"path": "a"}));
    let server = WIRE.server([calls.clone(), calls, Answer::text("done")]).await;
    let client = WIRE.client(&server);
    let mut messages = vec![Message::user("hello")];
    let mut requests = Vec::new();
    for _ in 0..2 {
        requests.push(request(messages.clone()));
        let (message, _, _) = answer(client.as_ref(), requests.last().unwrap()).await;
        let results: Vec<ToolResult> =
            message.tool_calls().map(|call| ToolResult::text(call.id.as_str(), "ok")).collect();
        messages.extend([message, Message::results(results)]);
    }
    let ids: Vec<&str> = messages.iter().flat_map(Message::tool_calls).map(|call| call.id.as_str()).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");
    let last = request(messages.clone());
    assert_eq!(last.faults(), vec![]);
    answer(client.as_ref(), &last).await;
    // The ids are ours alone; the wire answers by position, and the start of the request does not change.
    let received = server.received();
    assert!(received.iter().all(|received| received.faults.is_empty()), "{received:?}");
    let sent = |at: usize| received[at].body["messages"].as_array().unwrap().clone();
    assert!(sent(1).starts_with(&sent(0)) && sent(2).starts_with(&sent(1)));
}

/// A request of about this many tokens.
fn long(tokens: usize) -> CompletionRequest {
    request([Message::user("1234567 ".repeat(tokens / 2))])
}

#[tokio::test]
async fn a_request_that_was_cut_in_silence_is_an_overflow() {
    let script = Script::new().then(Answer::text("I know nothing of that.")).repeat_last().cuts_at(4_096);
    let server = Server::start(script).await.unwrap();
    let client = WIRE.client(&server);
    // What fits is answered.
    assert_eq!(answer(client.as_ref(), &long(4_000)).await.1, StopReason::EndTurn);
    let (events, error) = failure(client.as_ref(), &long(6_000)).await;
    let ModelError::Overflow { message, limit, .. } = &error else { panic!("{error:?}") };
    assert_eq!(*limit, Some(4_096));
    for part in ["2050", "4096", "8192", "OLLAMA_CONTEXT_LENGTH"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    // The answer was read to its end: only the stop reason is missing.
    assert!(events.iter().any(|event| matches!(event, CompletionEvent::Usage(_))), "{events:?}");
    assert!(!events.iter().any(|event| matches!(event, CompletionEvent::Finished(_))));
    assert_eq!(server.received().len(), 2);
}

#[tokio::test]
async fn a_prompt_from_the_cache_is_no_cut_prompt() {
    let server = WIRE.server([Answer::text("ok").no_usage()]).await;
    assert_eq!(answer(WIRE.client(&server).as_ref(), &long(6_000)).await.1, StopReason::EndTurn);
}

#[tokio::test]
async fn a_newer_server_refuses_what_is_too_long() {
    let said = json!({"error": "the prompt is longer than the context length currently available to the model; \
                                shorten the prompt, adjust the context length in settings, or use a model with a \
                                longer context length"});
    let server = WIRE.server([Answer::status(400, said)]).await;
    let error = failure(WIRE.client(&server).as_ref(), &hello()).await.1;
    assert!(matches!(error, ModelError::Overflow { limit: None, .. }), "{error:?}");
}

async fn library() -> (Server, Ollama) {
    let server = Server::start(Script::new().model("qwen3:8b", 40_960)).await.unwrap();
    let ollama = Ollama::new(&Endpoint::new(&server.url()).unwrap()).unwrap();
    (server, ollama)
}

#[tokio::test]
async fn the_models_of_a_server() {
    let (server, ollama) = library().await;
    let models = ollama.list().await.unwrap();
    let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["qwen3:8b"]);
    assert!(models[0].bytes > 0 && !models[0].modified.is_empty(), "{models:?}");
    let info = ollama.show("qwen3:8b").await.unwrap();
    assert_eq!(info.context_length, Some(40_960));
    assert!(info.tools && !info.family.is_empty(), "{info:?}");
    assert!(server.received().iter().all(|received| received.header("authorization").is_none()));
}

#[tokio::test]
async fn a_missing_model_is_an_error() {
    let (_server, ollama) = library().await;
    let error = ollama.show("nothing").await.unwrap_err();
    assert!(matches!(&error, OllamaError::NoSuchModel { name, .. } if name == "nothing"), "{error:?}");
    assert!(error.to_string().contains("ollama pull"), "{error}");
}

#[tokio::test]
async fn a_model_is_fetched_step_by_step() {
    let (_server, ollama) = library().await;
    let mut steps = Vec::new();
    ollama.pull("qwen3:8b", |step| steps.push(step)).await.unwrap();
    assert_eq!(steps.last().map(|step| step.status.as_str()), Some("success"), "{steps:?}");
    assert!(steps.iter().any(|step| step.total.is_some() && step.total == step.completed), "{steps:?}");
}

/// A server that answers one request with these lines, and hangs up.
async fn says(lines: &'static str) -> Ollama {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = vec![0; 4_096];
        let _ = connection.read(&mut request).await.unwrap();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n";
        connection.write_all(format!("{head}{lines}").as_bytes()).await.unwrap();
        connection.shutdown().await.unwrap();
    });
    Ollama::new(&Endpoint::new(&url).unwrap()).unwrap()
}

#[tokio::test]
async fn a_pull_that_ends_early_is_an_error() {
    let mut steps = 0;
    let stopped = says("{\"status\":\"pulling manifest\"}\n").await;
    let error = stopped.pull("m", |_| steps += 1).await.unwrap_err();
    assert!(matches!(error, OllamaError::Interrupted { .. }) && steps == 1, "{error:?}");
    let missing =
        says("{\"status\":\"pulling manifest\"}\n{\"error\":\"pull model manifest: file does not exist\"}\n");
    let error = missing.await.pull("m", drop).await.unwrap_err();
    assert!(matches!(error, OllamaError::NoSuchModel { .. }), "{error:?}");
    let error = says("hello\n").await.pull("m", drop).await.unwrap_err();
    assert!(matches!(error, OllamaError::Garbled { .. }), "{error:?}");
}

#[tokio::test]
async fn keys_and_headers_of_a_proxy_go_along() {
    let server = Server::start(Script::new()).await.unwrap();
    let endpoint = Endpoint::new(&format!("{}/api/", server.url())).unwrap();
    let endpoint = endpoint.with_key(Key::new("tenant-key")).with_header("x-gateway", Key::new("seven-seas"));
    let ollama = Ollama::new(&endpoint).unwrap();
    assert_eq!(ollama.list().await.unwrap(), vec![]);
    let received = only(&server);
    assert_eq!(received.path, "/api/tags");
    assert_eq!(received.header("authorization"), Some("Bearer tenant-key"));
    assert_eq!(received.header("x-gateway"), Some("seven-seas"));
    let shown = format!("{ollama:?}");
    assert!(!shown.contains("tenant") && !shown.contains("seven"), "{shown}");
}

#[tokio::test]
async fn an_unreachable_server_is_an_error_with_a_hint() {
    // Bound and closed: nothing listens there.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let ollama = Ollama::new(&Endpoint::new(&format!("http://{address}")).unwrap()).unwrap();
    let error = ollama.list().await.unwrap_err();
    assert!(matches!(error, OllamaError::Unreachable { .. }), "{error:?}");
    let says = error.to_string();
    assert!(says.contains(&address.to_string()) && says.contains("`ollama serve`"), "{says}");

    // Somebody listens and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = Endpoint::new(&format!("http://{}", silent.local_addr().unwrap())).unwrap();
    let wait = Duration::from_millis(100);
    let timeouts = Timeouts { connect: wait, first_byte: wait, idle: wait };
    let ollama = Ollama::new(&Endpoint { timeouts, ..endpoint }).unwrap();
    let error = ollama.list().await.unwrap_err();
    assert!(matches!(error, OllamaError::TimedOut { .. }), "{error:?}");
    assert!(matches!(ollama.pull("m", drop).await, Err(OllamaError::TimedOut { .. })));
}

#[tokio::test]
async fn an_unsendable_key_is_an_error() {
    let broken = Endpoint::new("http://h").unwrap().with_key(Key::new("canary\nkey"));
    let error = Ollama::new(&broken).unwrap_err();
    assert!(matches!(error, OllamaError::Address { .. }) && error.to_string().contains("key"), "{error}");
    assert!(!format!("{error:?}").contains("canary"), "{error:?}");
}

/// A server that takes one request and answers it with these bytes; the address and the request.
async fn hears(answer: &'static [u8]) -> (String, tokio::task::JoinHandle<Vec<u8>>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let heard = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = vec![0; 4_096];
        let read = connection.read(&mut request).await.unwrap();
        request.truncate(read);
        connection.write_all(answer).await.unwrap();
        connection.shutdown().await.unwrap();
        request
    });
    (address, heard)
}

#[tokio::test]
async fn an_https_address_is_asked_by_tls() {
    let (address, heard) = hears(b"no TLS here").await;
    let ollama = Ollama::new(&Endpoint::new(&format!("https://{address}")).unwrap()).unwrap();
    let error = ollama.show("m").await.unwrap_err();
    assert!(matches!(error, OllamaError::Unreachable { .. }), "{error:?}");
    // The first record of TLS is a handshake.
    assert_eq!(heard.await.unwrap().first(), Some(&22));
}

#[tokio::test]
async fn a_redirect_is_an_error_and_not_followed() {
    let (elsewhere, other) = hears(b"").await;
    let head = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://{elsewhere}/api/tags\r\ncontent-length: 0\r\n\r\n"
    );
    let (address, _) = hears(head.leak().as_bytes()).await;
    let ollama =
        Ollama::new(&Endpoint::new(&format!("http://{address}")).unwrap().with_key(Key::new("tenant-key")));
    let error = ollama.unwrap().list().await.unwrap_err();
    let says = error.to_string();
    assert!(matches!(error, OllamaError::Garbled { .. }) && says.contains(&elsewhere), "{says}");
    assert!(!other.is_finished());
    other.abort();
}
