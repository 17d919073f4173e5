//! Compactions by the providers themselves.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a client that does otherwise fails the test"
)]

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_completion::{CompletionRequest, LanguageModel, ModelError, ProviderAnswer, ProviderSummary};
use throughline_conversation::{ContentBlock, Message, Role, Thinking, Usage};
use throughline_providers::anthropic::AnthropicModel;
use throughline_providers::gemini::GeminiModel;
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_providers::openai_responses::OpenAiResponsesModel;
use throughline_testserver::{Answer, ErrorKind, Script, Server};
use throughline_wire::openai::OpenAiOptions;

use crate::contract::{events, info, only, request};

const PROMPT: &str = "Write notes.";

fn anthropic(server: &Server) -> AnthropicModel {
    let endpoint = Endpoint::new(&server.url()).unwrap();
    AnthropicModel::new(info("anthropic"), endpoint, Arc::new(ReqwestTransport::default()))
}

fn openai(server: &Server) -> OpenAiResponsesModel {
    let endpoint = Endpoint::new(&server.url()).unwrap();
    let transport = Arc::new(ReqwestTransport::default());
    OpenAiResponsesModel::new(info("openai"), endpoint, transport, OpenAiOptions::openai())
}

fn models(server: &Server) -> [Box<dyn LanguageModel>; 2] {
    [Box::new(anthropic(server)), Box::new(openai(server))]
}

/// A conversation that the model has spoken in last.
fn ended() -> CompletionRequest {
    request([Message::user("build it"), Message::assistant("done")])
}

async fn serving(answer: Answer) -> Server {
    Server::start(Script::new().then(answer)).await.unwrap()
}

fn made(answer: ProviderAnswer) -> (Result<ProviderSummary, String>, Option<Usage>) {
    match answer {
        ProviderAnswer::Answered { made, usage, .. } => (made, usage),
        ProviderAnswer::Unsupported { cause, .. } => panic!("it is supported: {cause}"),
    }
}

const USED: Usage = Usage { input: 7, cache_read: 900, cache_write: 30, output: 80, searches: 0 };

#[tokio::test]
async fn anthropic_answers_with_a_summary_that_can_be_read() {
    let server = serving(Answer::text("### Now\nnothing").usage(USED)).await;
    let answer = anthropic(&server).compact(&ended(), PROMPT).await.unwrap();
    let text = ProviderSummary::Text("### Now\nnothing".to_owned());
    assert_eq!(made(answer), (Ok(text), Some(USED)));
    let received = only(&server);
    assert!(received.faults.is_empty(), "{:?}", received.faults);
    assert_eq!(received.body["compaction"], json!({"type": "summarize", "instructions": PROMPT}));
    assert_eq!(received.header("anthropic-beta"), Some("compact-2026-09-04"));
    // The conversation is what it was, so that its prompt cache is read.
    assert_eq!(received.body["messages"].as_array().unwrap().len(), 2);
    assert_eq!(received.body["tools"].as_array().unwrap().len(), 2);
    assert!(received.body.get("diagnostics").is_none());
}

#[tokio::test]
async fn openai_answers_with_an_item_that_goes_back_in_a_summary() {
    let server = serving(Answer::text("c2VhbGVk").usage(USED)).await;
    server.push(Answer::text("ok"));
    let model = openai(&server);
    let (made, usage) = made(model.compact(&ended(), PROMPT).await.unwrap());
    let Ok(ProviderSummary::Item(item)) = made else { panic!("{made:?}") };
    assert_eq!((&item["type"], &item["encrypted_content"]), (&json!("compaction"), &json!("c2VhbGVk")));
    assert_eq!(usage, Some(USED));
    let received = only(&server);
    assert_eq!(received.path, "/v1/responses/compact");
    assert!(received.faults.is_empty(), "{:?}", received.faults);
    assert_eq!(received.body["instructions"], "You are an agent.");
    assert_eq!(received.body["prompt_cache_key"], "s-1");

    let item_block = ContentBlock::Thinking(Thinking::of_item(&item));
    let text = ContentBlock::Text { text: "Notes of earlier messages.".to_owned() };
    let summary = Message { role: Role::User, content: vec![item_block, text] };
    events(&model, &request([summary, Message::assistant("ok"), Message::user("go")])).await;
    let received = server.received().pop().unwrap();
    assert!(received.faults.is_empty(), "{:?}", received.faults);
    assert_eq!(received.body["input"][0], item);
    assert_eq!(received.body["input"][1]["content"][0]["text"], "Notes of earlier messages.");
}

#[tokio::test]
async fn a_server_that_does_not_know_it_is_no_error() {
    let unknown = "Unexpected value(s) `compact-2026-09-04` for the `anthropic-beta` header";
    let refusals = [
        (0, 400, json!({"type": "error", "error": {"type": "invalid_request_error", "message": unknown}})),
        (0, 400, json!({"error": {"message": "compaction: Extra inputs are not permitted"}})),
        (1, 404, json!({"error": {"message": "Invalid URL (POST /v1/responses/compact)"}})),
        (1, 405, json!({"detail": "Method Not Allowed"})),
        (
            1,
            404,
            json!({"error": {"message": "The model 'm' cannot be compacted", "code": "model_not_found"}}),
        ),
    ];
    for (wire, status, refusal) in refusals {
        let server = serving(Answer::status(status, refusal.clone())).await;
        let answer = models(&server)[wire].compact(&ended(), PROMPT).await.unwrap();
        assert!(matches!(answer, ProviderAnswer::Unsupported { asked: true, .. }), "{refusal}: {answer:?}");
    }
    // A provider without any such thing is not asked.
    let server = serving(Answer::text("no")).await;
    let endpoint = Endpoint::new(&server.url()).unwrap();
    let gemini = GeminiModel::new(info("gemini"), endpoint, Arc::new(ReqwestTransport::default()));
    let answer = gemini.compact(&ended(), PROMPT).await.unwrap();
    let cause = "gemini has no compaction of its own".to_owned();
    assert_eq!(answer, ProviderAnswer::Unsupported { cause, asked: false });
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn other_failures_are_errors() {
    for wire in 0..2 {
        let server = serving(Answer::error(ErrorKind::Overloaded)).await;
        let error = models(&server)[wire].compact(&ended(), PROMPT).await.unwrap_err();
        assert!(matches!(error, ModelError::Unavailable { .. }), "{error:?}");
        let server = serving(Answer::error(ErrorKind::TooLong { tokens: 9_000, limit: 8_000 })).await;
        let error = models(&server)[wire].compact(&ended(), PROMPT).await.unwrap_err();
        assert!(matches!(error, ModelError::Overflow { .. }), "{error:?}");
    }
}

/// What an answer with this body is made of, and whether it is paid.
async fn read(wire: usize, body: &Value) -> (String, bool) {
    let server = serving(Answer::raw("application/json", body.to_string().into_bytes())).await;
    let (made, usage) = made(models(&server)[wire].compact(&ended(), PROMPT).await.unwrap());
    (made.unwrap_err(), usage.is_some())
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_says_why_and_is_paid() {
    let used = json!({"input_tokens": 5, "output_tokens": 5});
    let message = |content: Value, stop: &str| json!({"id": "msg_1", "type": "message", "role": "assistant", "content": content, "stop_reason": stop, "usage": used});
    let block = |content: Value| json!([{"type": "compaction", "content": content}]);
    let said = message(json!([{"type": "text", "text": "Hello!"}]), "end_turn");
    let output = |output: Value| json!({"object": "response.compaction", "output": output, "usage": used});
    let sealed = json!({"type": "compaction", "encrypted_content": "x"});
    let huge = json!({"type": "compaction", "encrypted_content": "x".repeat(2 * 1024 * 1024)});
    let cases = [
        (0, message(block(Value::Null), "compaction"), "wrote no summary"),
        (0, message(block(json!("  ")), "compaction"), "wrote no summary"),
        (0, message(block(json!(["not", "text"])), "compaction"), "wrote no summary"),
        (0, message(block(json!("half of it")), "max_tokens"), "cut off"),
        (0, said, "no `compaction` block"),
        (1, output(json!([])), "exactly one item"),
        (1, output(json!([sealed, sealed])), "exactly one item"),
        (1, output(json!([{"type": "compaction", "encrypted_content": ""}])), "no `encrypted_content`"),
        (1, output(json!([{"type": "compaction", "encrypted_content": 7}])), "no `encrypted_content`"),
        (1, output(json!([huge])), "longer than 1024 KiB"),
        (1, output(json!("nothing")), "no `output`"),
    ];
    for (wire, body, expected) in cases {
        let (why, paid) = read(wire, &body).await;
        assert!(why.contains(expected), "{why:?} lacks {expected:?}");
        assert!(paid, "{expected}");
    }
}
