//! A refusal of each API is the error that its client makes.

use std::time::SystemTime;

use serde_json::json;
use throughline_completion::ModelError;

use super::Wire;

fn refusal(wire: Wire, status: u16, retry_after: Option<&str>, body: &serde_json::Value) -> ModelError {
    wire.refusal(status, retry_after, SystemTime::UNIX_EPOCH, body.to_string().as_bytes())
}

#[test]
fn a_request_that_is_too_long_is_an_overflow_of_every_api() {
    for (wire, body) in [
        (
            Wire::Anthropic,
            json!({"type": "error", "error": {"type": "invalid_request_error",
                "message": "prompt is too long: 213462 tokens > 200000 maximum"}}),
        ),
        (
            Wire::OpenAiChat,
            json!({"error": {"code": "context_length_exceeded", "type": "invalid_request_error",
                "message": "This model's maximum context length is 128000 tokens."}}),
        ),
        (
            Wire::OpenAiResponses,
            json!({"error": {"code": "context_length_exceeded", "type": "invalid_request_error",
                "message": "Your input exceeds the context window of this model."}}),
        ),
        (
            Wire::Gemini,
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message":
                "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."}}),
        ),
        (Wire::Ollama, json!({"error": "the input length exceeds the context length"})),
    ] {
        let error = refusal(wire, 400, None, &body);
        assert!(matches!(error, ModelError::Overflow { .. }), "{wire}: {error:?}");
    }
}

#[test]
fn the_wait_is_that_of_the_header() {
    let body = json!({"error": {"type": "rate_limit_error", "message": "Slow down."}});
    let error = refusal(Wire::Anthropic, 429, Some("7"), &body);
    assert!(matches!(error, ModelError::RateLimited { retry_after_ms: Some(7_000), .. }), "{error:?}");
}

#[test]
fn a_refusal_names_its_provider_and_a_remedy() {
    let error = Wire::Gemini.refusal(502, None, SystemTime::UNIX_EPOCH, b"");
    assert!(error.to_string().contains("gemini answered HTTP 502"), "{error}");
    let body = json!({"error": {"message": "reasoning_content is missing in a message"}});
    let error = refusal(Wire::OpenAiChat, 400, None, &body);
    assert!(error.to_string().contains("thinking_back = \"always\""), "{error}");
}
