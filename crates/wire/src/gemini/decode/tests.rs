//! Recorded streams and their events.

use expect_test::expect;
use serde_json::{Value, json};

use crate::stream::AnswerStream;
use crate::tests::stream_samples::{check, lines, read};

fn gemini() -> AnswerStream {
    AnswerStream::gemini("t1-", [])
}

// S4-05
#[test]
fn calls_come_whole_with_or_without_an_id() {
    check(
        gemini(),
        include_str!("cases/thinking_and_calls.sse"),
        &expect![[r#"
            detail Model("gemini-3.5-flash")
            usage 176 in, 1024 read, 0 written, 40 out
            thinking+ "Two "
            usage 176 in, 1024 read, 0 written, 43 out
            thinking+ "files."
            block {"type":"thinking","text":"Two files."}
            text+ "Смотрю."
            usage 176 in, 1024 read, 0 written, 60 out
            block {"type":"text","text":"Смотрю."}
            block {"type":"thinking","text":"","signature":"thoughtSignature","redacted":"\"c2ln\""}
            block {"type":"tool_call","id":"t1-call_1","name":"read","input":{"path":"a.rs"}}
            block {"type":"tool_call","id":"fc-2","name":"list","input":{}}
            finished ToolUse
        "#]],
    );
}

#[test]
fn a_signature_comes_before_its_part() {
    check(
        gemini(),
        include_str!("cases/signed_parts.sse"),
        &expect![[r#"
            thinking+ "First, "
            block {"type":"thinking","text":"First, ","signature":"thoughtSignature","redacted":"\"dGg=\""}
            text+ "Hello"
            text+ " there"
            block {"type":"text","text":"Hello there"}
            block {"type":"thinking","text":"","signature":"thoughtSignature.text","redacted":"\"dGV4dA==\""}
            detail Search(WebSearch { id: "s1", query: "", outcome: Running })
            block {"type":"thinking","text":"","signature":"provider_item","redacted":"{\"toolCall\":{\"id\":\"s1\",\"toolType\":\"GOOGLE_SEARCH_WEB\"},\"thoughtSignature\":\"c2VhcmNo\"}"}
            usage 9 in, 0 read, 0 written, 2 out
            block {"type":"thinking","text":"","signature":"thoughtSignature","redacted":"\"bGFzdA==\""}
            detail Search(WebSearch { id: "s1", query: "", outcome: Unlisted })
            usage 9 in, 0 read, 0 written, 2 out, 1 searches
            block {"type":"thinking","text":"","signature":"provider_item","redacted":"{\"groundingMetadata\":{\"webSearchQueries\":[\"q\"]}}"}
            finished EndTurn
        "#]],
    );
}

#[test]
fn a_refused_answer_says_why() {
    check(
        gemini(),
        include_str!("cases/refused.sse"),
        &expect![[r#"
        text+ "Let me"
        usage 9 in, 0 read, 0 written, 0 out
        block {"type":"text","text":"Let me"}
        detail Refusal(RefusalDetails { category: Some("SAFETY"), explanation: Some("The response is blocked."), recommended_model: None })
        finished Refusal
    "#]],
    );
}

#[test]
fn an_error_in_the_stream_ends_it() {
    check(
        gemini(),
        include_str!("cases/error.sse"),
        &expect![[r#"
        text+ "Let me"
        error Unavailable { message: "The model is overloaded. Please try again later.", retry_after_ms: None }
    "#]],
    );
}

// S4-05: each tag has a parser of its own, which does not guess.
#[test]
fn code_assist_wraps_each_chunk() {
    let recording = include_str!("cases/envelope.sse");
    check(
        AnswerStream::gemini_gca("t1-", []),
        recording,
        &expect![[r#"
        usage 5 in, 0 read, 0 written, 0 out
        text+ "Hi"
        usage 5 in, 0 read, 0 written, 1 out
        block {"type":"text","text":"Hi"}
        finished MaxTokens
    "#]],
    );
    check(
        gemini(),
        recording,
        &expect![[r#"
        unknown {"response":{"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"}}],"usageMetadata":{"promptTokenCount":5,"totalTokenCount":5}},"traceId":"t"}
        unknown {"response":{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":1,"totalTokenCount":6}},"traceId":"t"}
        error Interrupted { message: "the stream ended without a finish reason" }
    "#]],
    );
}

/// The end of an answer of this one document.
fn end(document: Value) -> String {
    lines(&gemini().whole(document)).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn each_finish_reason_is_known() {
    let answer = |reason: &str| json!({"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": reason, "finishMessage": "said"}]});
    let called = json!({"candidates": [{
        "content": {"parts": [{"functionCall": {"name": "read"}}]}, "finishReason": "UNEXPECTED_TOOL_CALL",
    }]});
    assert_eq!(end(answer("STOP")), "finished EndTurn");
    assert_eq!(end(answer("MAX_TOKENS")), "finished MaxTokens");
    for refused in ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"] {
        assert_eq!(end(answer(refused)), "finished Refusal", "{refused}");
    }
    assert_eq!(end(answer("LANGUAGE")), r#"finished Other("LANGUAGE")"#);
    assert_eq!(end(called), "finished ToolUse");
    for sample in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"] {
        let message = "the model wrote a tool call that its server cannot read: said";
        assert_eq!(end(answer(sample)), format!("error Interrupted {{ message: {message:?} }}"), "{sample}");
    }
}

#[test]
fn a_blocked_prompt_is_a_refusal() {
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 9}});
    let events = lines(&gemini().whole(blocked));
    assert!(events.contains("PROHIBITED_CONTENT") && events.ends_with("finished Refusal\n"), "{events}");
}

#[test]
fn a_stream_without_a_finish_reason_is_cut() {
    let cut = include_str!("cases/thinking_and_calls.sse").rsplit_once("data:").unwrap().0;
    assert!(
        lines(&read(gemini(), [cut.as_bytes()]))
            .ends_with("error Interrupted { message: \"the stream ended without a finish reason\" }\n")
    );
}
