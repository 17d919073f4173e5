//! Descriptions of models as servers give them.

use bytes::Bytes;
use futures_util::StreamExt as _;

use super::*;
use crate::http::{HttpAnswer, MockTransport, TransportError};

/// What vLLM 0.11 lists.
const VLLM: &str = r#"{"object":"list","data":[{"id":"Qwen/Qwen3-8B","object":"model","created":1764230000,"owned_by":"vllm",
    "root":"Qwen/Qwen3-8B","parent":null,"max_model_len":40960,"permission":[]}]}"#;
/// What OpenRouter lists, two of its models.
const OPENROUTER: &str = r#"{"data":[{"id":"z-ai/glm-4.6","context_length":204800,
    "top_provider":{"context_length":202752,"max_completion_tokens":65536,"is_moderated":false}},
    {"id":"mistralai/mistral-nemo","context_length":131072,"top_provider":{"context_length":null,"max_completion_tokens":null}}]}"#;
/// What llama.cpp lists, recorded by the suite `local` from two slots that share 8,192 tokens: `id` is the file or an alias, and requests
/// may name any other.
const LLAMA_CPP: &str = include_str!("tests/llama_cpp_models.json");
const LLAMA_CPP_PROPS: &str = include_str!("tests/llama_cpp_props.json");
/// The same list before it had the window of a request.
const OLD_LLAMA_CPP: &str = r#"{"models":[{"name":"smollm2"}],"object":"list","data":[{"id":"/w/SmolLM2.gguf","object":"model",
    "owned_by":"llamacpp","meta":{"vocab_type":2,"n_vocab":49152,"n_ctx_train":8192,"n_embd":576}}]}"#;
/// What Anthropic's Models API says of one model.
const ANTHROPIC: &str = r#"{"type":"model","id":"house/opus","display_name":"Opus","created_at":"2026-02-04T00:00:00Z",
    "max_input_tokens":180000,"max_tokens":48000,"lifecycle":"active","capabilities":null}"#;
/// What LM Studio lists in OpenAI's form, and in its own.
const LM_STUDIO_LIST: &str = r#"{"object":"list","data":[{"id":"qwen2.5-7b","object":"model","owned_by":"organization_owner"},
    {"id":"nomic","object":"model","owned_by":"organization_owner"}]}"#;
const LM_STUDIO_OWN: &str = r#"{"object":"list","data":[{"id":"qwen2.5-7b","type":"llm","state":"loaded",
    "max_context_length":32768,"loaded_context_length":8192},
    {"id":"nomic","type":"embeddings","state":"not-loaded","max_context_length":2048}]}"#;
/// What OpenAI and Ollama list: no limit.
const BARE: &str = r#"{"object":"list","data":[{"id":"qwen3:8b","object":"model","created":1764230000,"owned_by":"library"}]}"#;

/// The kind of the server.
#[derive(Debug, Clone, Copy)]
enum Wire {
    OpenAi,
    Anthropic,
}

async fn asked(
    pages: &'static [(&'static str, &'static str)],
    model: &str,
) -> (Option<(Option<u64>, Option<u64>, Option<u64>)>, usize) {
    asked_by(Wire::OpenAi, pages, model).await
}

/// Asks a server that has these pages, and gives its limits and how many addresses were asked.
async fn asked_by(
    wire: Wire,
    pages: &'static [(&'static str, &'static str)],
    model: &str,
) -> (Option<(Option<u64>, Option<u64>, Option<u64>)>, usize) {
    let mut transport = MockTransport::new();
    let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&count);
    transport.expect_send().returning(move |request| {
        counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let page = pages.iter().find(|(path, _)| request.url == format!("http://house:8000{path}"));
        let (status, body) = page.map_or((404, r#"{"error":"not found"}"#), |(_, body)| (200, *body));
        Ok(HttpAnswer {
            status,
            content_type: "application/json".to_owned(),
            retry_after: None,
            retry_after_ms: None,
            should_retry: None,
            request_id: None,
            location: None,
            body: futures_util::stream::iter([Ok::<_, TransportError>(Bytes::from_static(body.as_bytes()))])
                .boxed(),
        })
    });
    let endpoint = Endpoint::new("http://house:8000/v1").unwrap();
    let found = match wire {
        Wire::OpenAi => crate::openai::served_window(&endpoint, &transport, model).await.unwrap(),
        Wire::Anthropic => crate::anthropic::served_window(&endpoint, &transport, model).await.unwrap(),
    };
    let asked = count.load(std::sync::atomic::Ordering::SeqCst);
    (found.map(|found| (found.window, found.native, found.max_output)), asked)
}

#[tokio::test]
async fn every_form_of_a_description_is_read() {
    const LIST: &str = "/v1/models";
    let vllm = asked(&[(LIST, VLLM)], "Qwen/Qwen3-8B").await;
    assert_eq!(vllm, (Some((Some(40_960), None, None)), 1));
    let glm = asked(&[(LIST, OPENROUTER)], "z-ai/glm-4.6").await;
    assert_eq!(glm, (Some((Some(202_752), None, Some(65_536))), 1));
    let nemo = asked(&[(LIST, OPENROUTER)], "mistralai/mistral-nemo").await;
    assert_eq!(nemo, (Some((Some(131_072), None, None)), 1));
    let llama = asked(&[(LIST, LLAMA_CPP)], "smollm2").await;
    assert_eq!(llama, (Some((Some(4_096), Some(8_192), None)), 1));
    let old = asked(&[(LIST, OLD_LLAMA_CPP), ("/props", LLAMA_CPP_PROPS)], "smollm2").await;
    assert_eq!(old, (Some((Some(4_096), Some(8_192), None)), 2));
    let without = asked(&[(LIST, OLD_LLAMA_CPP)], "smollm2").await;
    assert_eq!(without, (Some((None, Some(8_192), None)), 2));
    let pages: &[_] = &[(LIST, LM_STUDIO_LIST), ("/api/v0/models", LM_STUDIO_OWN)];
    assert_eq!(asked(pages, "qwen2.5-7b").await, (Some((Some(8_192), Some(32_768), None)), 2));
    assert_eq!(asked(pages, "nomic").await, (Some((None, Some(2_048), None)), 2));
}

#[tokio::test]
async fn a_server_that_describes_nothing_is_asked_once() {
    const LIST: &str = "/v1/models";
    assert_eq!(asked(&[(LIST, BARE)], "qwen3:8b").await, (None, 1));
    assert_eq!(asked(&[(LIST, OPENROUTER)], "house/nothing").await, (None, 1));
    for odd in
        [r#"{"data":7}"#, "[]", "7", r#"{"data":[{"id":"m","max_model_len":-1},{"context_length":"x"}]}"#]
    {
        let pages: &'static [_] = Box::leak(Box::new([(LIST, odd)]));
        assert_eq!(asked(pages, "m").await, (None, 1), "{odd}");
    }
}

#[tokio::test]
async fn a_server_of_anthropic_s_api_is_asked_for_the_model_and_then_for_its_list() {
    const LIST: &str = "/v1/models";
    let asked = async |pages, model| asked_by(Wire::Anthropic, pages, model).await;
    // The name is one segment of the address.
    let own = asked(&[("/v1/models/house%2Fopus", ANTHROPIC)], "house/opus").await;
    assert_eq!(own, (Some((Some(180_000), None, Some(48_000))), 1));
    let long = asked(&[("/v1/models/opus", ANTHROPIC)], "opus[1m]").await;
    assert_eq!(long, (Some((Some(180_000), None, Some(48_000))), 1));
    // vLLM and llama.cpp speak both APIs, and describe a model in the form of OpenAI's.
    let vllm = asked(&[(LIST, VLLM)], "Qwen/Qwen3-8B").await;
    assert_eq!(vllm, (Some((Some(40_960), None, None)), 2));
    let llama = asked(&[(LIST, OLD_LLAMA_CPP), ("/props", LLAMA_CPP_PROPS)], "smollm2").await;
    assert_eq!(llama, (Some((Some(4_096), Some(8_192), None)), 3));
    assert_eq!(asked(&[(LIST, BARE)], "qwen3:8b").await, (None, 2));
}
