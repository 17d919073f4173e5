//! Recorded streams and their events.

use expect_test::expect;

use crate::stream::AnswerStream;
use crate::tests::stream_samples::check;

// S4-05
#[test]
fn thinking_and_calls() {
    check(
        AnswerStream::anthropic(),
        include_str!("cases/thinking_and_calls.sse"),
        &expect![[r#"
            usage 12 in, 5600 read, 340 written, 3 out
            thinking+ "Two files: "
            thinking+ "привет."
            block {"type":"thinking","text":"Two files: привет.","signature":"EqoB"}
            block {"type":"thinking","text":"","redacted":"EmwK"}
            text+ "I look"
            text+ " at both."
            block {"type":"text","text":"I look at both."}
            block {"type":"tool_call","id":"toolu_01","name":"read","input":{"path":"a.rs"}}
            block {"type":"tool_call","id":"toolu_02","name":"list","input":{}}
            usage 12 in, 5600 read, 340 written, 89 out
            finished ToolUse
        "#]],
    );
}

#[test]
fn cut_call() {
    check(
        AnswerStream::anthropic(),
        include_str!("cases/cut_call.sse"),
        &expect![[r#"
        usage 5 in, 0 read, 0 written, 1 out
        block {"type":"tool_call","id":"toolu_01","name":"write","input":{"invalid_json":"{\"path\": \"a.rs\", \"text\": \"fn"}}
        usage 5 in, 0 read, 0 written, 16 out
        finished MaxTokens
    "#]],
    );
}

#[test]
fn unknown_parts() {
    check(
        AnswerStream::anthropic(),
        include_str!("cases/unknown_parts.sse"),
        &expect![[r#"
            usage 5 in, 0 read, 0 written, 1 out
            unknown {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{}}}
            unknown {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}
            unknown {"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"url":"u"}}}
            text+ "found"
            block {"type":"text","text":"found"}
            unknown {"type":"message_progress","percent":50}
            usage 5 in, 0 read, 0 written, 2 out
            finished Other("model_context_window_exceeded")
        "#]],
    );
}

#[test]
fn overloaded() {
    check(
        AnswerStream::anthropic(),
        include_str!("cases/overloaded.sse"),
        &expect![[r#"
            usage 5 in, 0 read, 0 written, 1 out
            text+ "I beg"
            error Unavailable { message: "Overloaded", retry_after_ms: None }
        "#]],
    );
}

#[test]
fn errors_inside_the_stream_have_their_types() {
    for (kind, message, after) in [
        (
            "invalid_request_error",
            "prompt is too long: 9001 tokens > 8192 maximum",
            expect![[r#"
            error Overflow { message: "prompt is too long: 9001 tokens > 8192 maximum", limit: Some(8192) }
        "#]],
        ),
        (
            "rate_limit_error",
            "slow down",
            expect![[r#"
            error RateLimited { message: "slow down", retry_after_ms: None }
        "#]],
        ),
        (
            "authentication_error",
            "no",
            expect![[r#"
            error Unauthorized { message: "no" }
        "#]],
        ),
        (
            "invalid_request_error",
            "no",
            expect![[r#"
            error InvalidRequest { message: "no" }
        "#]],
        ),
        (
            "api_error",
            "",
            expect![[r#"
            error Unavailable { message: "an error without a message in the stream: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"\"}}", retry_after_ms: None }
        "#]],
        ),
    ] {
        let error = serde_json::json!({"type": "error", "error": {"type": kind, "message": message}});
        check(AnswerStream::anthropic(), &format!("event: error\ndata: {error}\n\n"), &after);
    }
    let after = expect![[r#"
        error Unavailable { message: "upstream gone", retry_after_ms: None }
    "#]];
    check(AnswerStream::anthropic(), "event: error\ndata: upstream gone\n\n", &after);
}

#[test]
fn a_body_that_is_not_a_stream() {
    let after = expect![[r#"
        error Interrupted { message: "the stream holds no JSON (expected value at line 1 column 1): <html>" }
    "#]];
    check(AnswerStream::anthropic(), "data: <html>\n\n", &after);
    let after = expect![[r#"
        error Interrupted { message: "the stream ended without a stop reason" }
    "#]];
    check(AnswerStream::anthropic(), "<html>\n<p>hi</p>\n", &after);
}
