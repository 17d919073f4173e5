//! OpenAI's cache breakpoints: read and written where the request says, and left out where the server refuses them.

#![expect(clippy::unwrap_used, reason = "a client that does otherwise fails the test")]

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{CacheBreakpoint, CacheTtl, Message, Place, SectionText, Usage};
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_providers::openai_responses::OpenAiResponsesModel;
use throughline_testserver::{Answer, Script, Server};
use throughline_wire::openai::OpenAiOptions;

use crate::contract::{answer, info, request};

fn model(server: &Server) -> OpenAiResponsesModel {
    let options =
        OpenAiOptions { cache_breakpoints: true, cache_diagnostics: true, ..OpenAiOptions::openai() };
    let endpoint = Endpoint::new(&server.url()).unwrap();
    OpenAiResponsesModel::new(info("openai"), endpoint, Arc::new(ReqwestTransport::default()), options)
}

/// This many turns behind a system prompt of 2,000 tokens, marked at its end, at the last message of the request before and
/// at the newest.
fn turns(count: usize) -> CompletionRequest {
    let turn = |number: usize| [Message::user(format!("question {number}")), Message::assistant("ok")];
    let before = (0..count).flat_map(turn);
    let plain = request(before.chain([Message::user("the newest")]));
    let section = plain.system.first().unwrap().clone();
    let section = SectionText { text: "abcd".repeat(2_000), ..section };
    let last = 2 * count;
    let places = [Place::Section(0), Place::Message(last.saturating_sub(2)), Place::Message(last)];
    let breakpoints = places.map(|place| CacheBreakpoint { place, ttl: CacheTtl::FiveMinutes }).to_vec();
    CompletionRequest { system: Arc::new([section]), breakpoints, tail: vec!["[a note]".to_owned()], ..plain }
}

async fn usage(model: &OpenAiResponsesModel, request: &CompletionRequest) -> Usage {
    answer(model, request).await.2.unwrap()
}

fn marks(body: &Value) -> bool {
    body.to_string().contains("prompt_cache_breakpoint")
}

// S3-14
#[tokio::test]
async fn a_marked_prefix_is_written_once_and_read_by_the_next_request() {
    let script = Script::new().then(Answer::text("ok")).repeat_last().prompt_cache(1_024);
    let server = Server::start(script).await.unwrap();
    let model = model(&server);
    let first = usage(&model, &turns(0)).await;
    assert!(first.cache_read == 0 && first.cache_write > 2_000, "{first:?}");
    assert!(first.input > 0 && first.input < 100, "the note is not written: {first:?}");
    // Thirty turns at once: a prefix is found at any distance from the newest marker.
    let far = usage(
        &model,
        &CompletionRequest {
            breakpoints: [&turns(0).breakpoints[..1], &turns(30).breakpoints[2..]].concat(),
            ..turns(30)
        },
    )
    .await;
    assert!(far.cache_read > 2_000 && far.cache_write > 0, "{far:?}");
    let again = usage(&model, &turns(30)).await;
    assert_eq!((again.cache_read, again.cache_write), (far.cache_read + far.cache_write, 0));
    server.advance(std::time::Duration::from_secs(31 * 60));
    assert_eq!(usage(&model, &turns(30)).await.cache_read, 0, "after 31 minutes");
    for received in server.received() {
        assert!(received.faults.is_empty(), "{received:?}");
        let found = received.body.to_string().matches("\"prompt_cache_breakpoint\"").count();
        assert!((1..=4).contains(&found), "{found}");
        assert_eq!(received.body["prompt_cache_options"]["mode"], "explicit");
    }
}

#[tokio::test]
async fn after_a_refusal_breakpoints_are_left_out() {
    for (words, compared) in [
        ("Unknown parameter: 'input[0].content[0].prompt_cache_breakpoint'.", true),
        ("Unsupported value: 'prompt_cache_options.mode' is not supported with this model.", true),
        ("Unknown parameter: 'prompt_cache_options'.", false),
    ] {
        let refusal = json!({"error": {"type": "invalid_request_error", "message": words}});
        let script = Script::new().then(Answer::text("ok")).then(Answer::status(400, refusal));
        let server = Server::start(script.then(Answer::text("ok")).repeat_last()).await.unwrap();
        let model = model(&server);
        for count in 0..3 {
            usage(&model, &turns(count)).await;
        }
        let received = server.received();
        let marked: Vec<bool> = received.iter().map(|received| marks(&received.body)).collect();
        assert_eq!(marked, [true, true, false, false], "{words}");
        let asks = |body: &Value| body.pointer("/prompt_cache_options/comparison_response_id").is_some();
        let asked: Vec<bool> = received.iter().map(|received| asks(&received.body)).collect();
        assert_eq!(asked, [false, true, compared, compared], "{words}");
        assert!(received[2].body["instructions"].is_string(), "the system prompt is where it was without");
    }
}

#[tokio::test]
async fn another_refusal_is_the_error_of_the_request() {
    let refusal = json!({"error": {"type": "invalid_request_error", "message": "Invalid 'tools[0].name'."}});
    let server = Server::start(Script::new().then(Answer::status(400, refusal))).await.unwrap();
    let (_, error) = crate::contract::failure(&model(&server), &turns(0)).await;
    assert!(error.to_string().contains("tools[0].name"), "{error}");
    assert_eq!(server.received().len(), 1);
}
