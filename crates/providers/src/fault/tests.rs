//! Responses of providers and what they mean.

use expect_test::{Expect, expect};

use super::of_response;

fn check(status: u16, retry_after: Option<&str>, body: &str, after: &Expect) {
    after.assert_eq(&format!("{:?}", of_response("anthropic", status, retry_after, body.as_bytes())));
}

fn anthropic(kind: &str, message: &str) -> String {
    serde_json::json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"})
        .to_string()
}

fn openai(kind: &str, code: &str, message: &str) -> String {
    serde_json::json!({"error": {"message": message, "type": kind, "param": null, "code": code}}).to_string()
}

#[test]
fn a_request_that_is_too_long() {
    for (status, body, after) in [
        (
            400,
            anthropic("invalid_request_error", "prompt is too long: 213,462 tokens > 200,000 maximum"),
            expect![[r#"Overflow { message: "prompt is too long: 213,462 tokens > 200,000 maximum", limit: Some(200000) }"#]],
        ),
        (
            400,
            anthropic(
                "invalid_request_error",
                "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length",
            ),
            expect![[r#"Overflow { message: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length", limit: Some(200000) }"#]],
        ),
        (413, anthropic("request_too_large", "Request exceeds the maximum size"), expect![[r#"Overflow { message: "Request exceeds the maximum size", limit: None }"#]]),
        (
            400,
            openai(
                "invalid_request_error",
                "context_length_exceeded",
                "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
            ),
            expect![[r#"Overflow { message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.", limit: Some(128000) }"#]],
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}"#.to_owned(),
            expect![[r#"Overflow { message: "the request exceeds the available context size, try increasing it", limit: Some(8192) }"#]],
        ),
        (
            400,
            r#"{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length"}"#.to_owned(),
            expect![[r#"Overflow { message: "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length", limit: None }"#]],
        ),
        (
            400,
            r#"{"error":"the input length exceeds the context length"}"#.to_owned(),
            expect![[r#"Overflow { message: "the input length exceeds the context length", limit: None }"#]],
        ),
    ] {
        check(status, None, &body, &after);
    }
}

#[test]
fn keys_and_rights() {
    for (status, body, after) in [
        (
            401,
            anthropic("authentication_error", "invalid x-api-key"),
            expect![[r#"Unauthorized { message: "invalid x-api-key" }"#]],
        ),
        (
            403,
            "{}".to_owned(),
            expect![[r#"Unauthorized { message: "anthropic answered HTTP 403 without a message" }"#]],
        ),
        (
            401,
            openai(
                "invalid_request_error",
                "invalid_api_key",
                "Incorrect API key provided: sk-proj-abcDEF_123456789.",
            ),
            expect![[r#"Unauthorized { message: "Incorrect API key provided: [key]" }"#]],
        ),
        (
            401,
            "no access with Authorization: Bearer abcdef1234567890\n".to_owned(),
            expect![[r#"Unauthorized { message: "no access with Authorization: Bearer [key]" }"#]],
        ),
        (
            429,
            openai("insufficient_quota", "insufficient_quota", "You exceeded your current quota"),
            expect![[r#"Unauthorized { message: "You exceeded your current quota" }"#]],
        ),
    ] {
        check(status, None, &body, &after);
    }
}

#[test]
fn waiting() {
    let limited = anthropic("rate_limit_error", "slow down");
    check(
        429,
        Some("7"),
        &limited,
        &expect![[r#"RateLimited { message: "slow down", retry_after_ms: Some(7000) }"#]],
    );
    check(
        429,
        Some(" 0.25 "),
        &limited,
        &expect![[r#"RateLimited { message: "slow down", retry_after_ms: Some(250) }"#]],
    );
    check(
        429,
        Some("Wed, 21 Oct 2026 07:28:00 GMT"),
        &limited,
        &expect![[r#"RateLimited { message: "slow down", retry_after_ms: None }"#]],
    );
    let words =
        openai("requests", "rate_limit_exceeded", "Rate limit reached. Please try again in 350ms. Visit x");
    check(
        429,
        None,
        &words,
        &expect![[
            r#"RateLimited { message: "Rate limit reached. Please try again in 350ms. Visit x", retry_after_ms: Some(350) }"#
        ]],
    );
    check(
        429,
        None,
        &words.replace("350ms", "1.2s"),
        &expect![[
            r#"RateLimited { message: "Rate limit reached. Please try again in 1.2s. Visit x", retry_after_ms: Some(1200) }"#
        ]],
    );
    check(
        529,
        None,
        &anthropic("overloaded_error", "Overloaded"),
        &expect![[r#"Unavailable { message: "Overloaded" }"#]],
    );
    check(
        503,
        None,
        "",
        &expect![[r#"Unavailable { message: "anthropic answered HTTP 503 without a message" }"#]],
    );
}

#[test]
fn what_is_no_json_and_what_is_merely_wrong() {
    check(
        502,
        None,
        "<html>\n<head><title>502 Bad\nGateway</title></head></html>",
        &expect![[
            r#"Unavailable { message: "anthropic answered HTTP 502 with an HTML page (\"502 Bad Gateway\") instead of JSON; check the base URL and any proxy" }"#
        ]],
    );
    check(
        404,
        None,
        "<!doctype html><p>hi",
        &expect![[
            r#"InvalidRequest { message: "anthropic answered HTTP 404 with an HTML page instead of JSON; check the base URL and any proxy" }"#
        ]],
    );
    check(
        404,
        None,
        r#"{"error":"model \"q\" not found, try pulling it first"}"#,
        &expect![[r#"InvalidRequest { message: "model \"q\" not found, try pulling it first" }"#]],
    );
    check(
        422,
        None,
        r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
        &expect![[r#"InvalidRequest { message: "[{\"loc\":[\"body\"],\"msg\":\"field required\"}]" }"#]],
    );
    check(
        400,
        None,
        &anthropic("invalid_request_error", "messages: bad\u{1b}[31m\nvalue"),
        &expect![[r#"InvalidRequest { message: "messages: bad [31m value" }"#]],
    );
}

#[test]
fn a_quoted_key_is_left_out_and_a_long_text_cut() {
    let error = of_response(
        "p",
        400,
        None,
        format!("see \"sk-ant-api03-{}\" now {}", "x".repeat(90), "й".repeat(900)).as_bytes(),
    );
    let text = error.to_string();
    assert!(text.starts_with("the provider refuses the request: see \"[key]\" now йй"), "{text}");
    assert!(text.len() < 600 && text.ends_with('…'));
    // A word that only looks a little like a key stays.
    let error = of_response("p", 400, None, b"the task-list and sk-1 are fine");
    assert!(error.to_string().ends_with("the task-list and sk-1 are fine"));
}
