//! Responses of providers and what they mean.

use std::time::SystemTime;

use expect_test::{Expect, expect};

use throughline_completion::ModelError;

use super::of_response;

const NOW: SystemTime = SystemTime::UNIX_EPOCH;

fn check(status: u16, retry_after: Option<&str>, body: &str, after: &Expect) {
    after.assert_eq(&format!("{:?}", of_response("anthropic", status, retry_after, NOW, body.as_bytes())));
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
            expect![[r#"Overflow { message: "prompt is too long: 213,462 tokens > 200,000 maximum", limit: Some(200000), tokens: Some(213462) }"#]],
        ),
        (
            400,
            anthropic(
                "invalid_request_error",
                "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length",
            ),
            expect![[r#"Overflow { message: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length", limit: Some(200000), tokens: Some(190000) }"#]],
        ),
        (
            400,
            openai(
                "invalid_request_error",
                "context_length_exceeded",
                "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
            ),
            expect![[r#"Overflow { message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.", limit: Some(128000), tokens: Some(130001) }"#]],
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}"#.to_owned(),
            expect![[r#"Overflow { message: "the request exceeds the available context size, try increasing it", limit: Some(8192), tokens: Some(9000) }"#]],
        ),
        (
            400,
            r#"{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length"}"#.to_owned(),
            expect![[r#"Overflow { message: "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length", limit: None, tokens: None }"#]],
        ),
        (
            400,
            r#"{"error":"the input length exceeds the context length"}"#.to_owned(),
            expect![[r#"Overflow { message: "the input length exceeds the context length", limit: None, tokens: None }"#]],
        ),
    ] {
        check(status, None, &body, &after);
    }
}

/// What a text means as the message of a refused request: the limit of the overflow, if it is one.
fn overflow(message: &str) -> Option<Option<u64>> {
    let body =
        serde_json::json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string();
    match of_response("p", 400, None, NOW, body.as_bytes()) {
        ModelError::Overflow { limit, .. } => Some(limit),
        ModelError::InvalidRequest { .. } => None,
        other => panic!("{message}: {other:?}"),
    }
}

#[test]
fn words_of_many_servers_for_a_request_that_is_too_long() {
    for (message, limit) in [
        // vLLM.
        (
            "The decoder prompt (length 21535) is longer than the maximum model length of 16384. Make sure that `max_model_len` is no smaller than the number of text tokens.",
            Some(16_384),
        ),
        ("Prompt length of 5016 is longer than the maximum model length of 4096.", Some(4_096)),
        // xAI.
        (
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            Some(131_072),
        ),
        // LM Studio.
        (
            "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input",
            Some(4_096),
        ),
        (
            "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 8192). Try to load the model with a larger context length, or provide a shorter input.",
            Some(8_192),
        ),
        (
            "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input",
            None,
        ),
        // Gemini.
        (
            "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
            Some(1_048_575),
        ),
        ("The input token count exceeds the maximum number of tokens allowed 1048576.", Some(1_048_576)),
        // Mistral.
        (
            "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
            Some(32_768),
        ),
        // Bedrock.
        ("Input is too long for requested model.", None),
        // Groq.
        ("Please reduce the length of the messages or completion.", None),
        // llama.cpp.
        (
            "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
            Some(8_192),
        ),
        // OpenRouter.
        (
            "This endpoint's maximum context length is 262000 tokens. However, you requested about 263390 tokens (658 of text input, 732 of tool input, 262000 in the output).",
            Some(262_000),
        ),
        // OpenAI.
        (
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            None,
        ),
        // Alibaba's Model Studio.
        (
            "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]",
            Some(98_304),
        ),
        // Kimi and MiniMax.
        (
            "Invalid request: Your request exceeded model token limit: 262144 (requested: 264000)",
            Some(262_144),
        ),
        ("invalid params, context window exceeds limit (2013)", None),
        // z.ai.
        ("tokens in request more than max tokens allowed", None),
        ("Prompt exceeds max length", None),
        // OpenAI.
        ("Your input exceeds the model's context window. Please adjust your input and try again.", None),
        (
            "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.",
            Some(272_000),
        ),
        // LiteLLM.
        (
            "litellm.BadRequestError: OpenAIException - Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140128 tokens: 131936 tokens from the input messages and 8192 tokens for the completion.",
            Some(131_072),
        ),
        // Poolside.
        ("Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", Some(131_040)),
        // Together and TGI.
        (
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`",
            Some(8_193),
        ),
        ("Input validation error: `inputs` must have less than 4095 tokens. Given: 5000", Some(4_095)),
        // Fireworks.
        ("The prompt is too long: 137500, model maximum context length: 131071", Some(131_071)),
        // SGLang.
        ("The input (40000 tokens) is longer than the model's context length (32768 tokens).", Some(32_768)),
        // LM Studio.
        ("Cannot truncate prompt with n_keep (13055) >= n_ctx (8192)", Some(8_192)),
        // TensorRT-LLM.
        ("Prompt length (9000) exceeds maximum input length (8192). Set log level to info", Some(8_192)),
        // GitHub Models.
        ("Request body too large for gpt-4o model. Max size: 8000 tokens.", Some(8_000)),
        // SiliconFlow.
        ("length of prompt_tokens (33000) must be less than max_seq_len (32768).", Some(32_768)),
        // Copilot.
        ("prompt token count of 70000 exceeds the limit of 64000", Some(64_000)),
        // Cohere.
        (
            "too many tokens: total number of tokens in the prompt exceeds the limit of 4081: try using a shorter prompt",
            Some(4_081),
        ),
        // Cerebras.
        (
            "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
            Some(8_192),
        ),
        // Bedrock.
        ("The model returned the following errors: Input is too long for requested model.", None),
        // llama.cpp.
        ("input is larger than the max context size. skipped", None),
    ] {
        assert_eq!(overflow(message), Some(limit), "{message}");
    }
}

#[test]
fn a_window_that_is_exceeded_in_any_words_is_an_overflow() {
    for message in [
        "prompt too long; exceeded max context length by 22 tokens",
        "too many tokens in the request",
        "Token limit exceeded: 20500 > 17000",
        "The estimated number of input and maximum output tokens (24596) exceeded this model context window limit (17000).",
        "Input tokens (20500) exceed the maximum allowed tokens (17000)",
        "Prompt length 20500 exceeds context window 17000",
        "The conversation is too long, please start a new one. Context limit reached.",
        "Total tokens of image and text exceed max message tokens",
        "context length overflow",
        "Input length 20500 exceeds the maximum length 17000",
        "input tokens exceed the limit",
        "max tokens of 17000 exceeded",
        "The input token length 20500 exceeds the session_len 17000",
        "Prompt length 20500 is greater than max_seq_len 17000",
        "context shift failed: prompt exceeds context size",
        "Input prompt length (20500) is larger than the maximum prompt length 17000",
        "the number of input tokens 20500 cannot exceed the total tokens limit 17000 for this model",
        "Input token count is 20500 but model only supports up to 17000.",
    ] {
        assert!(overflow(message).is_some(), "{message}");
    }
    for message in [
        "Invalid 'tools[3].function.name': string too long. Expected a string with maximum length 64",
        "Rate limit reached: context length exceeded for your tokens per minute",
        "max_tokens is too large: 99999",
        "metadata exceeds the maximum length of 512",
    ] {
        assert!(overflow(message).is_none(), "{message}");
    }
}

#[test]
fn words_of_many_servers_for_an_answer_that_may_not_be_so_long() {
    for (message, limit) in [
        (
            "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku",
            8_192,
        ),
        (
            "max_tokens is too large: 16384. This model supports at most 4096 completion tokens, whereas you provided 16384.",
            4_096,
        ),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8_192),
        ("<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 16384]", 16_384),
        (
            "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
            8_192,
        ),
        (
            "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
            4_096,
        ),
        (
            "Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.",
            65_536,
        ),
    ] {
        let body = openai("invalid_request_error", "invalid_value", message);
        let error = of_response("any", 400, None, NOW, body.as_bytes());
        let ModelError::OutputTooLarge { limit: read, .. } = error else { panic!("{message}: {error:?}") };
        assert_eq!(read, Some(limit), "{message}");
    }
    // Prompt and answer together: that is the window.
    let both = "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000";
    assert!(overflow(both).is_some());
}

#[test]
fn a_number_that_is_no_window_is_no_limit() {
    assert_eq!(overflow("prompt is too long: 400 characters > 200 maximum"), Some(None));
    assert_eq!(overflow("This model's maximum context length is 1023 tokens."), Some(None));
    assert_eq!(overflow("This model's maximum context length is 1024 tokens."), Some(Some(1_024)));
    let field = r#"{"error":{"type":"exceed_context_size_error","message":"the request exceeds the available context size (8192 tokens)","n_ctx":0}}"#;
    check(
        400,
        None,
        field,
        &expect![[
            r#"Overflow { message: "the request exceeds the available context size (8192 tokens)", limit: Some(8192), tokens: None }"#
        ]],
    );
}

#[test]
fn a_limit_per_time_is_no_window() {
    for message in [
        "Rate limit reached: maximum prompt length is 6000 tokens per minute",
        "tool `read`: the text is too large",
        "max_tokens is too large: 5000",
    ] {
        assert_eq!(overflow(message), None, "{message}");
    }
    // Groq.
    check(
        413,
        None,
        &openai(
            "tokens",
            "rate_limit_exceeded",
            "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
        ),
        &expect![[
            r#"TooLarge { message: "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again." }"#
        ]],
    );
    // This one fits into the next minute.
    check(
        429,
        None,
        &openai(
            "tokens",
            "rate_limit_exceeded",
            "Rate limit reached for model `m` on tokens per minute (TPM): Limit 6000, Used 5000, Requested 2000. Please try again in 9s.",
        ),
        &expect![[
            r#"RateLimited { message: "Rate limit reached for model `m` on tokens per minute (TPM): Limit 6000, Used 5000, Requested 2000. Please try again in 9s.", retry_after_ms: Some(9000) }"#
        ]],
    );
}

#[test]
fn a_tool_call_that_its_server_cannot_read_is_tried_again() {
    let error = of_response(
        "p",
        400,
        None,
        NOW,
        openai("invalid_request_error", "tool_use_failed", "Failed to call a function.").as_bytes(),
    );
    assert!(error.is_transient(), "{error:?}");
    let text = "the answer broke off: the model wrote a tool call that its server cannot read: Failed to call a function.";
    assert_eq!(error.to_string(), text);
}

/// What a text means as the message of a refused request.
fn meant(status: u16, message: &str) -> String {
    let body =
        serde_json::json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string();
    let debug = format!("{:?}", of_response("p", status, None, NOW, body.as_bytes()));
    debug.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn a_request_of_too_many_bytes_or_pictures_tells_nothing_about_tokens() {
    check(
        413,
        None,
        &anthropic("request_too_large", "Request exceeds the maximum size"),
        &expect![[r#"TooLarge { message: "Request exceeds the maximum size" }"#]],
    );
    check(
        413,
        None,
        "<html><head><title>413 Request Entity Too Large</title></head></html>",
        &expect![[
            r#"TooLarge { message: "anthropic answered HTTP 413 with an HTML page (\"413 Request Entity Too Large\") instead of JSON; check the base URL and any proxy" }"#
        ]],
    );
    for message in [
        "messages.108.content.3.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
        "Too many images and documents: 101 > 100",
        "At most 4 image(s) may be provided in one prompt.",
    ] {
        assert_eq!(meant(400, message), "TooLarge", "{message}");
    }
    // The window is another matter.
    assert_eq!(meant(413, "prompt is too long: 213462 tokens > 200000 maximum"), "Overflow");
}

#[test]
fn a_picture_that_is_not_taken() {
    for (status, message) in [
        (
            400,
            "messages.7.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
        ),
        (
            400,
            "messages.1.content.0.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes",
        ),
        (400, "Could not process image"),
        (400, "You uploaded an unsupported image. Please make sure your image is valid."),
        (400, "Invalid content type. image_url is only supported by certain models."),
        (400, "Invalid value: 'input_image'. Supported values are: 'input_text'."),
        (
            422,
            "Failed to deserialize the JSON body into the target type: messages[3]: unknown variant `image_url`, expected `text`",
        ),
        (400, "this model does not support image input"),
        (404, "No endpoints found that support image input"),
        (
            500,
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        ),
    ] {
        assert_eq!(meant(status, message), "PictureRefused", "{message}");
    }
    for (status, message, means) in [
        (400, "Invalid schema for function 'resize_image': None is not of type 'object'", "InvalidRequest"),
        (400, "tools.3.custom.name: image-tool is no name", "InvalidRequest"),
        (400, "messages.1: imagery is no word", "InvalidRequest"),
        (400, "Unknown parameter: 'stream_options' (model llama-3.2-11b-vision-preview)", "InvalidRequest"),
        (500, "the image service is down", "Unavailable"),
        (429, "too many images in a minute", "RateLimited"),
        (401, "no right to send an image", "Unauthorized"),
    ] {
        assert_eq!(meant(status, message), means, "{message}");
    }
}

#[test]
fn a_model_that_calls_no_tools_is_met_with_what_to_do() {
    for (status, message) in [
        (400, "registry.ollama.ai/library/gemma3:latest does not support tools"),
        (
            404,
            "No endpoints found that support tool use. To learn more about provider routing, visit: https://…",
        ),
        (400, "Function calling is not enabled for models/gemma-3-27b-it"),
    ] {
        let body = openai("invalid_request_error", "", message);
        let error = of_response("openai", status, None, SystemTime::UNIX_EPOCH, body.as_bytes()).to_string();
        let hint = "(continue with `--tools none`, or with another model)";
        assert_eq!(error, format!("the provider rejects the request: {message} {hint}"));
    }
}

#[test]
fn what_a_router_passes_on_is_read_too() {
    let raw = anthropic("invalid_request_error", "prompt is too long: 208732 tokens > 200000 maximum");
    let text = serde_json::json!({"error": {"message": "Provider returned error", "code": 400,
        "metadata": {"raw": raw, "provider_name": "Anthropic"}}});
    let value: serde_json::Value = serde_json::from_str(&raw).unwrap();
    let object = serde_json::json!({"error": {"message": "Provider returned error", "code": 400,
        "metadata": {"raw": value}}});
    for body in [text, object] {
        check(
            400,
            None,
            &body.to_string(),
            &expect![[
                r#"Overflow { message: "Provider returned error: prompt is too long: 208732 tokens > 200000 maximum", limit: Some(200000), tokens: Some(208732) }"#
            ]],
        );
    }
    // The router's own key is not ours.
    let refused = anthropic("authentication_error", "invalid x-api-key");
    let body = serde_json::json!({"error": {"message": "Provider returned error", "code": 502,
        "metadata": {"raw": refused}}});
    check(
        502,
        None,
        &body.to_string(),
        &expect![[
            r#"Unavailable { message: "Provider returned error: invalid x-api-key", retry_after_ms: None }"#
        ]],
    );
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
            402,
            openai("unknown_error", "invalid_request_error", "Insufficient Balance"),
            expect![[r#"Unpaid { message: "Insufficient Balance" }"#]],
        ),
        (
            429,
            openai("insufficient_quota", "insufficient_quota", "You exceeded your current quota"),
            expect![[r#"Unpaid { message: "You exceeded your current quota" }"#]],
        ),
        (
            400,
            anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
            expect![[r#"Unpaid { message: "Your credit balance is too low to access the Anthropic API." }"#]],
        ),
        (
            400,
            anthropic("invalid_request_error", "You have reached your specified API usage limits."),
            expect![[r#"Unpaid { message: "You have reached your specified API usage limits." }"#]],
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
        Some("Thu, 01 Jan 1970 00:01:05 GMT"),
        &limited,
        &expect![[r#"RateLimited { message: "slow down", retry_after_ms: Some(65000) }"#]],
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
        &expect![[r#"Unavailable { message: "Overloaded", retry_after_ms: None }"#]],
    );
    check(
        503,
        Some("30"),
        "",
        &expect![[
            r#"Unavailable { message: "anthropic answered HTTP 503 without a message", retry_after_ms: Some(30000) }"#
        ]],
    );
    check(
        503,
        None,
        "",
        &expect![[
            r#"Unavailable { message: "anthropic answered HTTP 503 without a message", retry_after_ms: None }"#
        ]],
    );
}

#[test]
fn what_is_no_json_and_what_is_merely_wrong() {
    check(
        502,
        None,
        "<html>\n<head><title>502 Bad\nGateway</title></head></html>",
        &expect![[
            r#"Unavailable { message: "anthropic answered HTTP 502 with an HTML page (\"502 Bad Gateway\") instead of JSON; check the base URL and any proxy", retry_after_ms: None }"#
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
        &expect![[r#"UnknownModel { message: "model \"q\" not found, try pulling it first" }"#]],
    );
    check(
        404,
        None,
        &anthropic("not_found_error", "model: claude-1"),
        &expect![[r#"UnknownModel { message: "model: claude-1" }"#]],
    );
    check(
        400,
        None,
        &openai("invalid_request_error", "model_not_found", "The requested model 'o0' does not exist."),
        &expect![[r#"UnknownModel { message: "The requested model 'o0' does not exist." }"#]],
    );
    check(
        404,
        None,
        &anthropic("not_found_error", "Not Found"),
        &expect![[r#"InvalidRequest { message: "Not Found" }"#]],
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
        NOW,
        format!("see \"sk-ant-api03-{}\" now {}", "x".repeat(90), "й".repeat(900)).as_bytes(),
    );
    let text = error.to_string();
    assert!(text.starts_with("the provider rejects the request: see \"[key]\" now йй"), "{text}");
    assert!(text.len() < 600 && text.ends_with('…'));
    // A word that only looks a little like a key stays.
    let error = of_response("p", 400, None, NOW, b"the task-list and sk-1 are fine");
    assert!(error.to_string().ends_with("the task-list and sk-1 are fine"));
}

#[test]
fn the_count_of_the_server_is_the_one_of_the_prompt() {
    let count = |message: &str| {
        let body = serde_json::json!({"error": {"message": message}}).to_string();
        match of_response("p", 400, None, NOW, body.as_bytes()) {
            ModelError::Overflow { tokens, .. } => tokens,
            other => panic!("{message}: {other:?}"),
        }
    };
    for (message, tokens) in [
        (
            "request (12844 tokens) exceeds the available context size (8192 tokens), try increasing it",
            Some(12_844),
        ),
        ("prompt is too long: 213,462 tokens > 200,000 maximum", Some(213_462)),
        (
            "This model's maximum context length is 8192 tokens. However, you requested 12000 tokens (8000 in the messages, 4000 in the completion).",
            Some(8_000),
        ),
        ("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000", Some(190_000)),
        (
            "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140128 tokens: 131936 tokens from the input messages and 8192 tokens for the completion.",
            Some(131_936),
        ),
        ("Input is too long for requested model.", None),
    ] {
        assert_eq!(count(message), tokens, "{message}");
    }
}

#[test]
fn errors_of_google() {
    for (status, body, after) in [
        (
            404,
            r#"[{"error": {"code": 404, "message": "models/gone is not found", "status": "NOT_FOUND"}}]"#,
            expect![[r#"UnknownModel { message: "models/gone is not found" }"#]],
        ),
        (
            400,
            r#"[{"error": {"code": 400, "message": "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).", "status": "INVALID_ARGUMENT"}}]"#,
            expect![[
                r#"Overflow { message: "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).", limit: Some(1048576), tokens: Some(1100000) }"#
            ]],
        ),
        (
            400,
            r#"{"error": {"code": 400, "message": "Request payload size exceeds the limit: 20971520 bytes.", "status": "INVALID_ARGUMENT"}}"#,
            expect![[r#"TooLarge { message: "Request payload size exceeds the limit: 20971520 bytes." }"#]],
        ),
    ] {
        check(status, None, body, &after);
    }
}

#[test]
fn a_content_filter_refuses_what_is_said() {
    let azure =
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.";
    for (status, body) in [
        (400, openai("", "content_filter", azure)),
        (400, openai("", "data_inspection_failed", "Output data may contain inappropriate content.")),
        (400, openai("invalid_request_error", "", "Content Exists Risk")),
        (400, openai("content_filter", "", "The request was rejected because it was considered high risk")),
        (400, openai("", "1301", "系统检测到输入或生成内容可能包含不安全或敏感内容")),
        (
            400,
            openai(
                "",
                "invalid_prompt",
                "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
            ),
        ),
        (400, openai("BadRequest", "InputTextSensitiveContentDetected", "The request failed.")),
        (403, openai("", "", "Your chosen model requires moderation and your input was flagged")),
        (403, openai("", "", "Content violates usage guidelines.")),
        (400, anthropic("invalid_request_error", "Output blocked by content filtering policy")),
        (200, r#"{"base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}"#.to_owned()),
    ] {
        let error = of_response("x", status, None, NOW, body.as_bytes());
        assert!(matches!(error, ModelError::Filtered { .. }), "{body}: {error:?}");
    }
    let error = of_response("x", 403, None, NOW, openai("", "", "Your account was flagged").as_bytes());
    assert!(matches!(error, ModelError::Unauthorized { .. }), "{error:?}");
    let form = openai("invalid_request_error", "invalid_prompt", "Invalid Responses API request");
    let error = of_response("x", 400, None, NOW, form.as_bytes());
    assert!(matches!(error, ModelError::InvalidRequest { .. }), "{error:?}");
}

#[test]
fn the_end_of_a_limit_is_read_wherever_it_is() {
    let wait = |body: serde_json::Value| {
        let error = of_response("x", 429, None, NOW, body.to_string().as_bytes());
        (error.kind(), error.retry_after_ms())
    };
    let limited = |wait: u64| ("rate_limited", Some(wait));
    use serde_json::json;
    let chatgpt = json!({"error": {"type": "usage_limit_reached", "message": "The usage limit has been reached", "resets_in_seconds": 86_400}});
    assert_eq!(wait(chatgpt), limited(86_400_000));
    assert_eq!(wait(json!({"error": {"message": "reached", "resets_at": 7_200}})), limited(7_200_000));
    let router = json!({"error": {"message": "free-models-per-day", "code": 429, "metadata": {"headers": {"X-RateLimit-Reset": "1000000000000"}}}});
    let now = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000 - 3_600);
    let error = of_response("x", 429, None, now, router.to_string().as_bytes());
    assert_eq!(error.retry_after_ms(), Some(3_600_000));
    let zai = json!({"error": {"code": "1308", "message": "Usage limit reached for 5 hour. Your limit will reset at 1970-01-02 12:00:00"}});
    assert_eq!(wait(zai), limited((24 + 4) * 3_600_000));
    let minute = json!({"error": {"message": "quota", "status": "RESOURCE_EXHAUSTED", "details": [{"violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]}, {"retryDelay": "24s"}]}});
    assert_eq!(wait(minute.clone()), limited(24_000));
    let day = minute.to_string().replace("PerMinutePer", "PerDayPer");
    assert_eq!(wait(serde_json::from_str(&day).unwrap()), ("unpaid", None));
    assert_eq!(of_response("x", 429, Some("1000003600"), now, b"{}").retry_after_ms(), Some(7_200_000));
}

#[test]
fn words_are_found_under_other_names() {
    for (body, words) in [
        (
            r#"{"success":false,"errors":[{"code":5007,"message":"No such model"}],"result":null}"#,
            "No such model",
        ),
        (r#"{"msg":"bad"}"#, "bad"),
        (r#"{"error_code":17,"error_msg":"daily limit"}"#, "daily limit"),
        (r#"{"base_resp":{"status_code":1002,"status_msg":"rate limit"}}"#, "rate limit"),
    ] {
        let error = of_response("x", 400, None, NOW, body.as_bytes());
        assert!(error.to_string().contains(words), "{body}: {error}");
    }
    let said = |code: u64| serde_json::json!({"base_resp": {"status_code": code, "status_msg": "said"}});
    let kind = |code: u64| super::of_event(&said(code)).kind();
    assert_eq!(
        [1002, 1004, 1008, 1039, 2013].map(kind),
        ["rate_limited", "unauthorized", "unpaid", "overflow", "invalid_request"]
    );
    assert!(super::is_error(&said(1002)) && !super::is_error(&said(0)));
}

#[test]
fn reasoning_that_its_server_does_not_have_is_left_out() {
    for (status, message) in [
        (
            404,
            "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
        ),
        (400, "Item 'rs_1' of type 'reasoning' was provided without its required following item."),
    ] {
        let error =
            of_response("x", status, None, NOW, openai("invalid_request_error", "", message).as_bytes());
        assert!(matches!(error, ModelError::ThinkingRefused { .. }), "{error:?}");
    }
}
