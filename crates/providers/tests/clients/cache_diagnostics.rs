//! Clients ask why the prompt cache was not reused, and do without where the server does not know the question.

#![expect(clippy::unwrap_used, reason = "a client that does otherwise fails the test")]

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_completion::{Assembly, CompletionRequest, LanguageModel};
use throughline_conversation::{CacheDiagnosis, Message, SessionId};
use throughline_providers::anthropic::AnthropicModel;
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_providers::openai_responses::OpenAiResponsesModel;
use throughline_testserver::{Answer, Script, Server};
use throughline_wire::openai::OpenAiOptions;

use crate::contract::{events, info, request};

fn models(server: &Server) -> [Box<dyn LanguageModel>; 2] {
    let endpoint = Endpoint::new(&server.url()).unwrap();
    let transport = || Arc::new(ReqwestTransport::default());
    let options = OpenAiOptions { cache_diagnostics: true, ..OpenAiOptions::openai() };
    [
        Box::new(AnthropicModel::new(info("anthropic"), endpoint.clone(), transport())),
        Box::new(OpenAiResponsesModel::new(info("openai"), endpoint, transport(), options)),
    ]
}

async fn diagnosis(model: &dyn LanguageModel, request: &CompletionRequest) -> Option<CacheDiagnosis> {
    let mut assembly = Assembly::default();
    events(model, request).await.into_iter().for_each(|event| assembly.push(event));
    assembly.finish().unwrap().details.cache
}

fn turns(count: usize) -> CompletionRequest {
    let turn = |number: usize| [Message::user(format!("question {number}")), Message::assistant("ok")];
    let before = (0..count).flat_map(turn);
    request(before.chain([Message::user("the newest")]))
}

#[tokio::test]
async fn the_provider_says_what_has_changed_since_the_answer_before() {
    for wire in 0..2 {
        let server = Server::start(Script::new().then(Answer::text("ok")).repeat_last()).await.unwrap();
        let model = &models(&server)[wire];
        assert_eq!(diagnosis(model.as_ref(), &turns(3)).await, None, "the first request of a session");
        assert_eq!(diagnosis(model.as_ref(), &turns(4)).await, None, "a request that extends it");
        let fewer = CompletionRequest { tools: turns(5).tools[..1].into(), ..turns(5) };
        let found = diagnosis(model.as_ref(), &fewer).await.unwrap();
        assert_eq!(found.reason, "tools_changed");
        assert!(found.missed_tokens.is_some_and(|tokens| tokens > 50), "{found:?}");
        let shorter = CompletionRequest { tools: turns(1).tools[..1].into(), ..turns(1) };
        let reason = ["messages_changed", "input_changed"][wire];
        assert_eq!(diagnosis(model.as_ref(), &shorter).await.unwrap().reason, reason);
        // Another session of the same client is not compared with it.
        let other = CompletionRequest { session: Some(SessionId::new("s-2").unwrap()), ..turns(2) };
        assert_eq!(diagnosis(model.as_ref(), &other).await, None);
        assert!(server.received().iter().all(|received| received.faults.is_empty()));
    }
}

#[tokio::test]
async fn a_server_that_does_not_know_the_question_is_asked_once() {
    let refusals = [
        json!({"type": "error", "error": {"type": "invalid_request_error", "message": "diagnostics: Extra inputs are not permitted"}}),
        json!({"error": {"type": "invalid_request_error", "message": "Unknown parameter: 'prompt_cache_options'."}}),
    ];
    for (wire, refusal) in refusals.into_iter().enumerate() {
        // OpenAI is asked from the second request on: the first has no answer to be compared with.
        let first = if wire == 0 { vec![] } else { vec![Answer::text("ok")] };
        let script = first.into_iter().fold(Script::new(), Script::then);
        let script = script.then(Answer::status(400, refusal)).then(Answer::text("ok")).repeat_last();
        let server = Server::start(script).await.unwrap();
        let model = &models(&server)[wire];
        for count in 1..=3 {
            diagnosis(model.as_ref(), &turns(count)).await;
        }
        let asks = |body: &Value| body.get("diagnostics").or(body.get("prompt_cache_options")).is_some();
        let asked: Vec<bool> = server.received().iter().map(|received| asks(&received.body)).collect();
        let expected = [vec![true, false, false, false], vec![false, true, false, false]];
        assert_eq!(asked, expected[wire]);
    }
}
