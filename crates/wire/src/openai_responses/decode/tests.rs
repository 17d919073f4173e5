//! Recorded streams and their events.

use expect_test::expect;

use crate::stream::AnswerStream;
use crate::tests::stream_samples::check;

// S4-05
#[test]
fn reasoning_and_call() {
    check(
        AnswerStream::openai_responses("t1-", []),
        include_str!("cases/reasoning_and_call.sse"),
        &expect![[r#"
            thinking+ "Two files."
            thinking+ "\n\nBoth small."
            block {"type":"thinking","text":"Two files.\n\nBoth small.","signature":"rs_1","redacted":"gAAA"}
            text+ "I look"
            text+ ", друг."
            block {"type":"text","text":"I look, друг."}
            block {"type":"tool_call","id":"call_a","name":"read","input":{"path":"a.rs"}}
            detail Search(WebSearch { id: "ws_1", query: "", outcome: Unlisted })
            block {"type":"thinking","text":"Searched the web for \"\": [done; the provider does not list what it found]","signature":"provider_item","redacted":"{\"type\":\"web_search_call\",\"id\":\"ws_1\",\"status\":\"completed\"}"}
            unknown {"type":"response.brand_new","x":1}
            detail Id("resp_1")
            usage 176 in, 1024 read, 0 written, 34 out, 1 searches
            finished ToolUse
        "#]],
    );
}

#[test]
fn items_at_the_end() {
    check(
        AnswerStream::openai_responses("t1-", []),
        include_str!("cases/items_at_the_end.sse"),
        &expect![[r#"
            text+ "half"
            block {"type":"text","text":"half"}
            block {"type":"tool_call","id":"call_a","name":"read","input":{"invalid_json":"{\"path\":"}}
            usage 7 in, 0 read, 0 written, 16 out
            finished MaxTokens
        "#]],
    );
}

#[test]
fn overflow() {
    check(
        AnswerStream::openai_responses("t1-", []),
        include_str!("cases/overflow.sse"),
        &expect![[r#"
        error Overflow { message: "Your input exceeds the context window of this model. Please adjust your input and try again.", limit: None, tokens: None }
    "#]],
    );
}

#[test]
fn error_events_and_refusals() {
    let limited =
        r#"{"type":"error","code":"rate_limit_exceeded","message":"Please try again in 2s.","param":null}"#;
    let refusal = r#"{"type":"response.completed","response":{"output":[{"type":"message","content":[{"type":"refusal","refusal":"I cannot."}]}]}}"#;
    let failed =
        r#"{"type":"response.failed","response":{"error":{"code":"server_error","message":"Oops"}}}"#;
    for (data, after) in [
        (
            limited,
            expect![[r#"
        error RateLimited { message: "Please try again in 2s.", retry_after_ms: Some(2000) }
    "#]],
        ),
        (
            refusal,
            expect![[r#"
                text+ "I cannot."
                block {"type":"text","text":"I cannot."}
                finished Refusal
            "#]],
        ),
        (
            failed,
            expect![[r#"
        error Unavailable { message: "Oops", retry_after_ms: None }
    "#]],
        ),
    ] {
        check(AnswerStream::openai_responses("t1-", []), &format!("data: {data}\n\n"), &after);
    }
}

#[test]
fn a_call_without_an_id_gets_one_and_several_objects_are_several_calls() {
    let call = r#"{"type":"function_call","name":"read","arguments":"{}{\"path\":\"a\"}{\"path\":\"b\"}"}"#;
    check(
        AnswerStream::openai_responses("t1-", []),
        &format!(r#"data: {{"type":"response.completed","response":{{"output":[{call}]}}}}"#),
        &expect![[r#"
            block {"type":"tool_call","id":"t1-call_1","name":"read","input":{"path":"a"}}
            block {"type":"tool_call","id":"t1-call_2","name":"read","input":{"path":"b"}}
            finished ToolUse
        "#]],
    );
}

fn ends(output: &serde_json::Value, status: &str, expected: &expect_test::Expect) {
    let response = serde_json::json!({"status": status, "output": output, "error": (status == "failed").then(|| serde_json::json!({"code": "server_error", "message": "x"}))});
    let event = serde_json::json!({"type": "response.completed", "response": response});
    check(AnswerStream::openai_responses("t1-", []), &format!("data: {event}\n\n"), expected);
}

#[test]
fn a_call_of_a_kind_that_was_not_offered_is_no_part_of_the_answer() {
    let call = serde_json::json!([{"type": "local_shell_call", "id": "ls", "call_id": "c"}]);
    ends(
        &call,
        "completed",
        &expect![[r#"
            unknown {"type":"local_shell_call","id":"ls","call_id":"c"}
            finished ToolUse
        "#]],
    );
}

#[test]
fn a_refusal_and_a_failure_are_the_last_word() {
    let output = serde_json::json!([
        {"type": "message", "content": [{"type": "refusal", "refusal": "no"}]},
        {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"},
    ]);
    ends(
        &output,
        "completed",
        &expect![[r#"
            text+ "no"
            block {"type":"text","text":"no"}
            block {"type":"tool_call","id":"c","name":"shell","input":{}}
            finished Refusal
        "#]],
    );
    ends(
        &output,
        "failed",
        &expect![[r#"
        error Unavailable { message: "x", retry_after_ms: None }
    "#]],
    );
}
