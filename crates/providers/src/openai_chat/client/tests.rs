//! The requests that leave, and what becomes of the responses, without a network.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use throughline_completion::{Assembly, CompletionRequest, LanguageModel, ModelError, ModelInfo};
use throughline_conversation::Message;
use throughline_testkit::{parse, request};
use throughline_wire::openai::OpenAiOptions;

use super::OpenAiChatModel;
use crate::http::{Endpoint, HttpAnswer, HttpRequest, Key, Transport, TransportError};
use crate::openai_responses::OpenAiResponsesModel;

/// Answers every request with the same, and keeps the requests.
#[derive(Debug)]
struct Wire {
    status: u16,
    kind: &'static str,
    body: String,
    sent: Mutex<Vec<HttpRequest>>,
}

#[async_trait]
impl Transport for Wire {
    async fn send(&self, request: HttpRequest) -> Result<HttpAnswer, TransportError> {
        self.sent.lock().unwrap().push(request);
        if self.status == 0 {
            return Err(TransportError::Unreachable { message: "connection refused".to_owned() });
        }
        Ok(HttpAnswer {
            status: self.status,
            content_type: self.kind.to_owned(),
            retry_after: Some("7".to_owned()),
            retry_after_ms: None,
            should_retry: None,
            request_id: None,
            location: None,
            body: stream::iter([Ok(self.body.clone().into())]).boxed(),
        })
    }
}

fn wire(status: u16, kind: &'static str, body: &str) -> Arc<Wire> {
    Arc::new(Wire { status, kind, body: body.to_owned(), sent: Mutex::default() })
}

fn endpoint() -> Endpoint {
    Endpoint::new("http://127.0.0.1:9").unwrap().with_key(Key::new("s3cret-key-of-the-test"))
}

fn info() -> ModelInfo {
    ModelInfo { provider: "openai".to_owned(), ..ModelInfo::with_window("m", 8_192, 1_024) }
}

fn chat(endpoint: Endpoint, wire: Arc<Wire>) -> OpenAiChatModel {
    OpenAiChatModel::new(info(), endpoint, wire, OpenAiOptions::openai())
}

fn responses(endpoint: Endpoint, wire: Arc<Wire>) -> OpenAiResponsesModel {
    OpenAiResponsesModel::new(info(), endpoint, wire, OpenAiOptions::openai())
}

/// The same server behind both APIs.
fn both(wire: &Arc<Wire>) -> [Box<dyn LanguageModel>; 2] {
    [Box::new(chat(endpoint(), wire.clone())), Box::new(responses(endpoint(), wire.clone()))]
}

async fn answer(model: &dyn LanguageModel, request: &CompletionRequest) -> Result<Message, ModelError> {
    let mut events = model.stream(request).await?;
    let mut assembly = Assembly::default();
    while let Some(event) = events.next().await {
        assembly.push(event?);
    }
    Ok(assembly.finish()?.message)
}

const SAID: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\",\"tool_calls\":[{\"index\":0,\"id\":\"call_0\",\
                    \"function\":{\"name\":\"read\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n";

#[tokio::test]
async fn the_body_that_leaves_is_that_of_the_encoder() {
    let wire = wire(200, "text/event-stream; charset=utf-8", SAID);
    let options = OpenAiOptions::compatible();
    let model = OpenAiChatModel::new(info(), endpoint(), wire.clone(), options);
    let request = request(parse("user: hi"));
    answer(&model, &request).await.unwrap();
    let sent = wire.sent.lock().unwrap();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].url, "http://127.0.0.1:9/v1/chat/completions");
    let header =
        |name: &str| sent[0].headers.iter().find(|(field, _)| field == name).unwrap().1.expose().to_owned();
    assert_eq!(header("authorization"), "Bearer s3cret-key-of-the-test");
    assert_eq!(header("content-type"), "application/json");
    let body = super::encode(&request, options);
    assert_eq!(std::str::from_utf8(&sent[0].body).unwrap(), body.to_string());
}

#[tokio::test]
async fn an_id_that_was_there_before_is_not_taken_again() {
    let model = chat(endpoint(), wire(200, "text/event-stream", SAID));
    let first = answer(&model, &request(parse("user: hi"))).await.unwrap();
    assert_eq!(first.tool_calls().next().unwrap().id, "call_0");
    let later = request(parse("user: hi\nassistant:\n  -> call_0 read\nresults:\n  call_0 = x"));
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(answer(&model, &later).await.unwrap().tool_calls().next().unwrap().id.clone());
    }
    assert!(ids[0].ends_with("-call_1") && ids[1].ends_with("-call_1") && ids[0] != ids[1], "{ids:?}");
}

#[tokio::test]
async fn refusals_become_errors_and_nothing_is_sent_again() {
    let limited = r#"{"error":{"message":"slow down, s3cret-key-of-the-test","type":"requests","code":"rate_limit_exceeded"}}"#;
    let page = "<html><title>Welcome</title></html>";
    for (wire, expected) in [
        (
            wire(429, "application/json", limited),
            "rate limited by the provider: slow down, [key] (it asks to retry in 7 s)",
        ),
        (wire(500, "text/plain", "oops"), "provider unavailable: oops (it asks to retry in 7 s)"),
        (
            wire(0, "", ""),
            "provider unavailable: connection refused: no server listens at 127.0.0.1:9; start it, or check the base URL",
        ),
        (
            wire(200, "text/html", page),
            "the provider rejects the request: 127.0.0.1:9 answered with an HTML page instead of openai's API; check the base URL and any proxy or login page in between",
        ),
    ] {
        for model in both(&wire) {
            let error = answer(model.as_ref(), &request(parse("user: hi"))).await.unwrap_err();
            assert_eq!(error.to_string(), expected);
            if let ModelError::RateLimited { retry_after_ms, .. } = error {
                assert_eq!(retry_after_ms, Some(7_000));
            }
        }
        // One for each model: nothing was sent again.
        assert_eq!(wire.sent.lock().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_model_that_does_not_reason_is_asked_once_more_without_sealed_reasoning() {
    let said = r#"{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error"}}"#;
    let wire = wire(400, "application/json", said);
    let model = responses(endpoint(), wire.clone());
    let hi = request(parse("user: hi"));
    answer(&model, &hi).await.unwrap_err();
    answer(&model, &hi).await.unwrap_err();
    let sent = wire.sent.lock().unwrap();
    let asks: Vec<bool> = sent
        .iter()
        .map(|one| serde_json::from_slice::<Value>(&one.body).unwrap().get("include").is_some())
        .collect();
    assert_eq!(asks, [true, false, false]);
}

#[tokio::test]
async fn nothing_that_the_provider_would_refuse_leaves() {
    let wire = wire(200, "text/event-stream", SAID);
    let orphan = request(parse("user: hi\nassistant:\n  -> c1 read"));
    for model in both(&wire) {
        let error = answer(model.as_ref(), &orphan).await.unwrap_err();
        assert!(error.to_string().contains("not sent"), "{error}");
    }
    let broken = Endpoint::new("http://h").unwrap().with_key(Key::new("s3cret\nkey"));
    let error = answer(&chat(broken, wire.clone()), &request(parse("user: hi"))).await;
    let error = error.unwrap_err();
    let ModelError::Other(source) = &error else { panic!("{error:?}") };
    assert!(
        source.to_string().contains("check the key") && !format!("{error:?}").contains("s3cret"),
        "{error:?}"
    );
    assert!(wire.sent.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_count_asks_for_what_counts() {
    let counted = wire(200, "application/json", r#"{"object":"response.input_tokens","input_tokens":91}"#);
    let model = responses(endpoint(), counted.clone());
    assert_eq!(model.count(&request(parse("user: hi"))).await.unwrap(), 91);
    let sent = counted.sent.lock().unwrap().pop().unwrap();
    assert_eq!(sent.url, "http://127.0.0.1:9/v1/responses/input_tokens");
    let body: Value = serde_json::from_slice(&sent.body).unwrap();
    let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["model", "tools", "instructions", "input"]);
    assert_eq!(body["model"], json!("m"));

    let model = responses(endpoint(), wire(200, "application/json", "{}"));
    assert!(model.count(&request(parse("user: hi"))).await.unwrap_err().to_string().contains("input_tokens"));
    let model = chat(endpoint(), counted.clone());
    assert_eq!(model.count(&request(parse("user: hi"))).await.unwrap(), None);
    assert!(counted.sent.lock().unwrap().is_empty());
}
