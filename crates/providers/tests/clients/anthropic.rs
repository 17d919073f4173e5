//! Anthropic's Messages API, by both transports.

#![cfg_attr(
    feature = "anthropic-sdk",
    expect(clippy::unwrap_used, reason = "a client that breaks the contract fails the test")
)]

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_completion::probe;
use throughline_completion::{CompletionRequest, LanguageModel as _, ModelError, ModelInfo, StopReason};
use throughline_conversation::{Message, Thinking, Usage};
use throughline_providers::anthropic::AnthropicModel;
use throughline_providers::http::{Endpoint, Key, ReqwestTransport};
use throughline_testserver::{Answer, ErrorKind, Script, Server};
use throughline_wire::anthropic::ThinkingForm;

use crate::contract::{KEY, Wire, answer, failure, hangs_up, hello, info, only};

const STOPS: &[(StopReason, StopReason)] = &[
    (StopReason::EndTurn, StopReason::EndTurn),
    (StopReason::MaxTokens, StopReason::MaxTokens),
    (StopReason::StopSequence, StopReason::StopSequence),
    (StopReason::Refusal, StopReason::Refusal),
    (StopReason::Pause, StopReason::Pause),
];

const WIRE: Wire = Wire {
    model: |endpoint| {
        Arc::new(AnthropicModel::new(info("anthropic"), endpoint, Arc::new(ReqwestTransport::default())))
    },
    keyed: true,
    ids: true,
    gives_back: Some(gives_back),
    thinking: |sent| sent,
    usage: |sent| sent,
    stops: STOPS,
    limit: true,
};

/// Returns true if a body holds exactly this thinking.
fn gives_back(body: &Value, thinking: &Thinking) -> bool {
    let block = json!({"type": "thinking", "thinking": thinking.text, "signature": thinking.signature});
    body.pointer("/messages/1/content/0") == Some(&block)
}

crate::suite!(by_reqwest, WIRE);

#[cfg(feature = "anthropic-sdk")]
crate::suite!(by_the_sdk, BY_THE_SDK);

#[cfg(feature = "anthropic-sdk")]
const BY_THE_SDK: Wire = Wire {
    model: |endpoint| {
        let transport = throughline_providers::anthropic::AnthropicSdkTransport::new(&endpoint).unwrap();
        Arc::new(AnthropicModel::new(info("anthropic"), endpoint, Arc::new(transport)))
    },
    ..WIRE
};

/// Both transports, or the one that is there.
fn wires() -> Vec<Wire> {
    vec![
        WIRE,
        #[cfg(feature = "anthropic-sdk")]
        BY_THE_SDK,
    ]
}

fn model(endpoint: Endpoint) -> AnthropicModel {
    AnthropicModel::new(info("anthropic"), endpoint, Arc::new(ReqwestTransport::default()))
}

// S3-31
#[tokio::test]
async fn a_request_has_the_headers_of_the_api_and_no_more() {
    for wire in wires() {
        for path in ["", "/v1", "/v1/"] {
            let server = wire.server([Answer::text("ok")]).await;
            let endpoint = wire.endpoint(&format!("{}{path}", server.url()));
            answer((wire.model)(endpoint).as_ref(), &hello()).await;
            let received = only(&server);
            assert_eq!((received.method.as_str(), received.path.as_str()), ("POST", "/v1/messages"));
            for (name, value) in [
                ("x-api-key", KEY),
                ("anthropic-version", "2023-06-01"),
                ("content-type", "application/json"),
            ] {
                let times = received.headers.iter().filter(|(known, _)| known == name).count();
                assert_eq!((received.header(name), times), (Some(value), 1), "{name}");
            }
            for name in ["authorization", "anthropic-beta"] {
                assert_eq!(received.header(name), None);
            }
        }
    }
}

#[tokio::test]
async fn a_gateway_gets_its_headers_and_no_key_when_none_is_set() {
    for wire in wires() {
        let server = Server::start(Script::new().then(Answer::text("ok"))).await.unwrap();
        let endpoint = Endpoint::new(&server.url()).unwrap();
        let endpoint = endpoint
            .with_header("authorization", Key::new("Bearer gateway"))
            .with_header("anthropic-version", Key::new("2099-01-01"));
        answer((wire.model)(endpoint).as_ref(), &hello()).await;
        let received = only(&server);
        assert_eq!(received.header("authorization"), Some("Bearer gateway"));
        assert_eq!(received.header("anthropic-version"), Some("2099-01-01"));
        assert_eq!(received.header("x-api-key"), None);
    }
}

#[tokio::test]
async fn a_full_window_has_a_reason_of_its_own() {
    let reason = StopReason::Other("model_context_window_exceeded".to_owned());
    let server = WIRE.server([Answer::text("so far").stop(reason.clone())]).await;
    let (message, stop, _) = answer(WIRE.client(&server).as_ref(), &hello()).await;
    assert_eq!((message, stop), (Message::assistant("so far"), reason));
}

#[tokio::test]
async fn thinking_is_asked_for_where_it_fits() {
    let server = WIRE.server([Answer::text("ok"), Answer::text("ok")]).await;
    let model = model(WIRE.endpoint(&server.url())).with_thinking(2_000);
    answer(&model, &CompletionRequest { max_output_tokens: 4_000, ..hello() }).await;
    answer(&model, &hello()).await;
    let received = server.received();
    assert_eq!(received[0].body["thinking"], json!({"type": "enabled", "budget_tokens": 2_000}));
    assert_eq!(received[0].body["max_tokens"], json!(4_000));
    assert_eq!(received[1].body.get("thinking"), None);
    assert!(received.iter().all(|received| received.faults.is_empty()), "{received:?}");
}

// The server refuses what the model that is named would.
#[tokio::test]
async fn a_newer_model_is_asked_to_think_with_an_effort() {
    let server = WIRE.server([Answer::text("ok"), Answer::text("ok")]).await;
    let info = ModelInfo { name: "claude-opus-5".to_owned(), ..info("anthropic") };
    let model = || {
        let endpoint = WIRE.endpoint(&server.url());
        AnthropicModel::new(info.clone(), endpoint, Arc::new(ReqwestTransport::default()))
            .with_thinking(4_000)
    };
    let request = CompletionRequest { model: info.name.clone(), max_output_tokens: 9_000, ..hello() };
    answer(&model(), &request).await;
    assert!(model().count(&request).await.unwrap() > 0);
    let received = server.received();
    assert!(received.iter().all(|received| received.faults.is_empty()), "{received:?}");
    assert_eq!(received[0].body["thinking"]["type"], json!("adaptive"));
    assert_eq!(received[0].body["output_config"], json!({"effort": "medium"}));
    assert_eq!(received[1].body.get("output_config"), None);
    // As a user's table may have it.
    let sent = model().with_thinking_form(ThinkingForm::Budget).stream(&request).await;
    let error = sent.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("\"thinking.type.enabled\" is not supported for this model"), "{error}");
}

#[tokio::test]
async fn thinking_that_is_bound_is_asked_to_be_dropped_with_the_header_that_it_takes() {
    for (own, sent) in [
        (None, "thinking-binding-controls-2026-08-01"),
        (Some("files-api-2025-04-14"), "files-api-2025-04-14,thinking-binding-controls-2026-08-01"),
    ] {
        let server = WIRE.server([Answer::text("ok")]).await;
        let mut endpoint = WIRE.endpoint(&server.url());
        if let Some(own) = own {
            endpoint = endpoint.with_header("Anthropic-Beta", Key::new(own));
        }
        let info = ModelInfo { name: "claude-opus-5-5".to_owned(), ..info("anthropic") };
        let request = CompletionRequest { model: info.name.clone(), ..hello() };
        let model = AnthropicModel::new(info, endpoint, Arc::new(ReqwestTransport::default()));
        answer(&model, &request).await;
        model.count(&request).await.unwrap();
        for received in server.received() {
            assert_eq!((received.header("anthropic-beta"), &received.faults), (Some(sent), &Vec::new()));
            let field = &received.body["thinking"]["block_binding"]["prefix_mismatch_behavior"];
            assert_eq!(field, &json!("drop_block"));
        }
    }
}

#[tokio::test]
async fn tokens_are_counted_by_the_api() {
    let server = WIRE.server([]).await;
    let model = model(WIRE.endpoint(&server.url())).with_thinking(1_024);
    let tokens = model.count(&CompletionRequest { max_output_tokens: 2_000, ..hello() }).await.unwrap();
    assert!(tokens > 0);
    let received = only(&server);
    assert_eq!(
        (received.path.as_str(), received.faults),
        ("/v1/messages/count_tokens", Vec::<String>::new())
    );
    let fields: Vec<&String> = received.body.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["model", "tools", "system", "thinking", "messages"]);
    let fewer = model.count(&CompletionRequest { tools: Arc::new([]), ..hello() }).await.unwrap();
    assert!(fewer < tokens, "{fewer} {tokens}");
}

#[tokio::test]
async fn a_count_fails_as_a_request_does() {
    let server = Server::start(Script::new().key("another")).await.unwrap();
    let error = model(WIRE.endpoint(&server.url())).count(&hello()).await.unwrap_err();
    assert!(matches!(error, ModelError::Unauthorized { .. }), "{error:?}");
    let nothing = CompletionRequest { transcript: Default::default(), ..hello() };
    let error = model(WIRE.endpoint(&server.url())).count(&nothing).await.unwrap_err();
    assert!(error.to_string().contains("not sent"), "{error}");
    assert_eq!(server.received().len(), 1);
}

// S2-14
#[tokio::test]
async fn a_probe_reads_the_prompt_and_lets_the_answer_go() {
    let usage = Usage { input: 40, cache_read: 2_000, cache_write: 60, output: 9, searches: 0 };
    let slow = Answer::text("a long answer").usage(usage).wait_each(std::time::Duration::from_millis(200));
    let server =
        WIRE.server([slow, Answer::text("ok").no_usage(), Answer::error(ErrorKind::Overloaded)]).await;
    let client = WIRE.client(&server);
    assert_eq!(probe(client.as_ref(), &hello()).await.unwrap().prompt(), 2_100);
    hangs_up(&server).await;
    let received = only(&server);
    assert_eq!(received.body["max_tokens"], json!(16));
    assert_eq!(received.body["tools"].as_array().map(Vec::len), Some(2));
    assert!(matches!(probe(client.as_ref(), &hello()).await, Err(ModelError::Interrupted { .. })));
    assert!(matches!(probe(client.as_ref(), &hello()).await, Err(ModelError::Unavailable { .. })));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let target = WIRE.server([Answer::text("stolen")]).await;
    let moved = Answer::status(307, json!({})).header("location", &format!("{}/v1/messages", target.url()));
    let server = WIRE.server([moved]).await;
    let error = failure(WIRE.client(&server).as_ref(), &hello()).await.1;
    assert!(matches!(error, ModelError::InvalidRequest { .. }), "{error:?}");
    let host = target.url().replace("http://", "");
    assert!(error.to_string().contains(&format!("redirects to {host}")), "{error}");
    assert!(target.received().is_empty());
}

/// The SDK follows redirects, and that cannot be switched off: at least it is reported.
#[cfg(feature = "anthropic-sdk")]
#[tokio::test]
async fn a_redirect_that_the_sdk_followed_is_an_error() {
    let target = WIRE.server([Answer::text("stolen")]).await;
    let moved = Answer::status(307, json!({})).header("location", &format!("{}/v1/messages", target.url()));
    let server = WIRE.server([moved]).await;
    let error = failure(BY_THE_SDK.client(&server).as_ref(), &hello()).await.1;
    let ModelError::Other(source) = &error else { panic!("{error:?}") };
    assert!(source.to_string().contains("replace the key"), "{source}");
}

#[tokio::test]
async fn a_key_that_no_header_can_carry_is_not_sent() {
    for wire in wires() {
        let server = wire.server([Answer::text("ok")]).await;
        let endpoint = Endpoint::new(&server.url()).unwrap().with_key(Key::new("line\nbreak-canary"));
        let error = failure((wire.model)(endpoint).as_ref(), &hello()).await.1;
        let shown = format!("{error:?}");
        assert!(matches!(error, ModelError::Other(_)) && shown.contains("check the key"), "{shown}");
        assert!(!shown.contains("canary"), "{shown}");
        assert!(server.received().is_empty());
    }
}

/// With a proxy in the environment this machine is still reached directly.
#[test]
fn a_proxy_of_the_environment_is_not_used_for_this_machine() {
    // Of the environment only a process of its own can be given another one.
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "anthropic::by_reqwest::a_text"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        // Nothing listens there.
        child.env(name, "http://127.0.0.1:1");
    }
    for name in ["NO_PROXY", "no_proxy", "REQUEST_METHOD"] {
        child.env_remove(name);
    }
    let output = child.output().unwrap();
    let says = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && says.contains("1 passed"), "{says}");
}
