//! Recorded streams and their events.

use expect_test::expect;

use crate::stream::AnswerStream;
use crate::tests::stream_samples::check;

// S4-05
#[test]
fn thinking_and_calls() {
    check(
        AnswerStream::anthropic("t1-", []),
        include_str!("cases/thinking_and_calls.sse"),
        &expect![[r#"
            usage 12 in, 5600 read, 340 written, 3 out
            detail Id("msg_01")
            detail Model("m")
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
        AnswerStream::anthropic("t1-", []),
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
        AnswerStream::anthropic("t1-", []),
        include_str!("cases/unknown_parts.sse"),
        &expect![[r#"
            usage 5 in, 0 read, 0 written, 1 out
            detail Search(WebSearch { id: "srv_1", query: "", outcome: Running })
            block {"type":"thinking","text":"","signature":"provider_item","redacted":"{\"type\":\"server_tool_use\",\"id\":\"srv_1\",\"name\":\"web_search\",\"input\":{}}"}
            text+ "found"
            unknown {"type":"message_progress","percent":50}
            usage 5 in, 0 read, 0 written, 2 out
            block {"type":"text","text":"found"}
            block {"type":"thinking","text":"","signature":"citations","redacted":"[{\"type\":\"text\",\"text\":\"found\",\"citations\":[{\"url\":\"u\"}]}]"}
            detail Cited([WebSource { url: "u", title: "" }])
            finished Other("model_context_window_exceeded")
        "#]],
    );
}

#[test]
fn web_search() {
    check(
        AnswerStream::anthropic("t1-", []),
        include_str!("cases/web_search.sse"),
        &expect![[r#"
            usage 90 in, 0 read, 0 written, 1 out
            detail Id("msg_01")
            detail Model("m")
            detail Search(WebSearch { id: "srvtoolu_1", query: "herons", outcome: Running })
            block {"type":"thinking","text":"","signature":"provider_item","redacted":"{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\",\"input\":{\"query\":\"herons\"}}"}
            detail Search(WebSearch { id: "srvtoolu_1", query: "herons", outcome: Found([WebSource { url: "https://example.com/1", title: "Page 1" }]) })
            block {"type":"thinking","text":"Searched the web for \"herons\": 1 result\n1. Page 1 · https://example.com/1","signature":"provider_item","redacted":"{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":[{\"type\":\"web_search_result\",\"url\":\"https://example.com/1\",\"title\":\"Page 1\",\"encrypted_content\":\"RWFz\",\"page_age\":null}]}"}
            detail Search(WebSearch { id: "srvtoolu_2", query: "egrets", outcome: Running })
            block {"type":"thinking","text":"","signature":"provider_item","redacted":"{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_2\",\"name\":\"web_search\",\"input\":{\"query\":\"egrets\"}}"}
            detail Search(WebSearch { id: "srvtoolu_2", query: "egrets", outcome: Failed("max_uses_exceeded") })
            block {"type":"thinking","text":"Searched the web for \"egrets\": [the provider's search failed: max_uses_exceeded]","signature":"provider_item","redacted":"{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_2\",\"content\":{\"type\":\"web_search_tool_result_error\",\"error_code\":\"max_uses_exceeded\"}}"}
            text+ "Herons "
            text+ "летят."
            usage 900 in, 0 read, 0 written, 40 out, 1 searches
            block {"type":"text","text":"Herons летят."}
            block {"type":"thinking","text":"","signature":"citations","redacted":"[{\"type\":\"text\",\"text\":\"Herons \"},{\"type\":\"text\",\"text\":\"летят.\",\"citations\":[{\"type\":\"web_search_result_location\",\"cited_text\":\"fly\",\"url\":\"https://example.com/1\",\"title\":\"Page 1\",\"encrypted_index\":\"SW5k\"}]}]"}
            detail Cited([WebSource { url: "https://example.com/1", title: "Page 1" }])
            detail WindowPrompt(90)
            finished EndTurn
        "#]],
    );
}

#[test]
fn overloaded() {
    check(
        AnswerStream::anthropic("t1-", []),
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
                error Overflow { message: "prompt is too long: 9001 tokens > 8192 maximum", limit: Some(8192), tokens: Some(9001) }
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
        check(AnswerStream::anthropic("t1-", []), &format!("event: error\ndata: {error}\n\n"), &after);
    }
    let after = expect![[r#"
        error Unavailable { message: "upstream gone", retry_after_ms: None }
    "#]];
    check(AnswerStream::anthropic("t1-", []), "event: error\ndata: upstream gone\n\n", &after);
}

#[test]
fn a_body_that_is_not_a_stream() {
    let after = expect![[r#"
        error Interrupted { message: "the stream holds no JSON (expected value at line 1 column 1): <html>" }
    "#]];
    check(AnswerStream::anthropic("t1-", []), "data: <html>\n\n", &after);
    let after = expect![[r#"
        error Interrupted { message: "the stream ended without a stop reason" }
    "#]];
    check(AnswerStream::anthropic("t1-", []), "<html>\n<p>hi</p>\n", &after);
}

#[test]
fn the_prompt_of_the_last_pass_is_separate_from_the_sum_that_is_charged() {
    let start =
        r#"data: {"type":"message_start","message":{"usage":{"input_tokens":2479,"output_tokens":1}}}"#;
    let end = |usage: &str| {
        let delta =
            format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{usage}}}"#);
        format!("{start}\n\ndata: {delta}\n\ndata: {{\"type\":\"message_stop\"}}\n\n")
    };
    let tools = r#"{"input_tokens":404500,"output_tokens":90,"server_tool_use":{"web_search_requests":9}}"#;
    check(
        AnswerStream::anthropic("t1-", []),
        &end(tools),
        &expect![[r#"
            usage 2479 in, 0 read, 0 written, 1 out
            usage 404500 in, 0 read, 0 written, 90 out, 9 searches
            detail WindowPrompt(2479)
            finished EndTurn
        "#]],
    );
    let passes = r#"{"input_tokens":9000,"output_tokens":90,"iterations":[{"input_tokens":4000},{"input_tokens":1000,"cache_read_input_tokens":4000}]}"#;
    check(
        AnswerStream::anthropic("t1-", []),
        &end(passes),
        &expect![[r#"
        usage 2479 in, 0 read, 0 written, 1 out
        usage 9000 in, 0 read, 0 written, 90 out
        detail WindowPrompt(5000)
        finished EndTurn
    "#]],
    );
    let none = r#"{"input_tokens":2479,"output_tokens":90,"server_tool_use":{"web_search_requests":0}}"#;
    check(
        AnswerStream::anthropic("t1-", []),
        &end(none),
        &expect![[r#"
        usage 2479 in, 0 read, 0 written, 1 out
        usage 2479 in, 0 read, 0 written, 90 out
        finished EndTurn
    "#]],
    );
}

#[test]
fn a_refusal_says_which_rule_and_which_model_instead() {
    let stream = concat!(
        r#"data: {"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}"#,
        "\n\n",
        r#"data: {"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"Not this.","recommended_model":"claude-opus-4-8"}},"usage":{"output_tokens":2}}"#,
        "\n\ndata: {\"type\":\"message_stop\"}\n\n",
    );
    check(
        AnswerStream::anthropic("t1-", []),
        stream,
        &expect![[r#"
        usage 9 in, 0 read, 0 written, 1 out
        usage 9 in, 0 read, 0 written, 2 out
        detail Refusal(RefusalDetails { category: Some("cyber"), explanation: Some("Not this."), recommended_model: Some("claude-opus-4-8") })
        finished Refusal
    "#]],
    );
}

#[test]
fn a_message_that_begins_a_second_time_replaces_what_was_half_there() {
    let start = r#"data: {"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}"#;
    let call = r#"data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"read","input":{}}}"#;
    let half = r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"pa"}}"#;
    let text =
        r#"data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"Hello."}}"#;
    let end =
        r#"data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#;
    let stop = r#"data: {"type":"message_stop"}"#;
    let stream = [start, call, half, start, text, end, stop].map(|line| format!("{line}\n\n")).concat();
    check(
        AnswerStream::anthropic("t1-", []),
        &stream,
        &expect![[r#"
        usage 9 in, 0 read, 0 written, 1 out
        text+ "Hello."
        usage 9 in, 0 read, 0 written, 2 out
        block {"type":"text","text":"Hello."}
        finished EndTurn
    "#]],
    );
}

/// The events of an answer whose only block is this call, with these pieces of arguments.
fn call_events(id: &str, pieces: &[&str]) -> String {
    let mut stream = format!(
        "data: {{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{{\"type\":\"tool_use\"{id},\"name\":\"read\",\"input\":{{}}}}}}\n\n"
    );
    for piece in pieces {
        let delta = serde_json::json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": piece}});
        stream.push_str(&format!("data: {delta}\n\n"));
    }
    stream.push_str("data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n");
    stream
}

#[test]
fn a_call_without_an_id_gets_one() {
    for id in ["", ",\"id\":\"\"", ",\"id\":null"] {
        check(
            AnswerStream::anthropic("t1-", []),
            &call_events(id, &["{\"path\":\"a\"}"]),
            &expect![[r#"
                block {"type":"tool_call","id":"t1-call_1","name":"read","input":{"path":"a"}}
                finished ToolUse
            "#]],
        );
    }
}

#[test]
fn an_empty_object_before_the_arguments_is_left_out_and_several_objects_are_several_calls() {
    let id = ",\"id\":\"x\"";
    check(
        AnswerStream::anthropic("t1-", []),
        &call_events(id, &["{}", "{\"path\":\"a\"}"]),
        &expect![[r#"
            block {"type":"tool_call","id":"x","name":"read","input":{"path":"a"}}
            finished ToolUse
        "#]],
    );
    check(
        AnswerStream::anthropic("t1-", []),
        &call_events(id, &["{\"path\":\"a\"}{\"path\":\"a\"}", "\n{\"path\":\"b\"}"]),
        &expect![[r#"
            block {"type":"tool_call","id":"x","name":"read","input":{"path":"a"}}
            block {"type":"tool_call","id":"t1-call_2","name":"read","input":{"path":"b"}}
            finished ToolUse
        "#]],
    );
    check(
        AnswerStream::anthropic("t1-", []),
        &call_events(id, &["{\"path\":\"a\"}{\"path\":"]),
        &expect![[r#"
            block {"type":"tool_call","id":"x","name":"read","input":{"invalid_json":"{\"path\":\"a\"}{\"path\":"}}
            finished ToolUse
        "#]],
    );
}

#[test]
fn a_last_event_that_is_cut_off_costs_nothing_behind_the_stop_reason() {
    let stop = "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n";
    let cut = "event: message_stop\ndata: {\"type\":\"m";
    check(
        AnswerStream::anthropic("t1-", []),
        &format!("{stop}{cut}"),
        &expect![[r#"
            finished EndTurn
        "#]],
    );
    check(
        AnswerStream::anthropic("t1-", []),
        cut,
        &expect![[r#"
            error Interrupted { message: "the stream ended without a stop reason" }
        "#]],
    );
}

#[test]
fn zeros_of_a_gateway_do_not_replace_the_tokens_of_the_prompt() {
    let stream = |start: u64, end: &str| {
        format!(
            "data: {{\"type\":\"message_start\",\"message\":{{\"usage\":{{\"input_tokens\":{start},\"output_tokens\":1}}}}}}\n\ndata: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":\"end_turn\"}},\"usage\":{end}}}\n\ndata: {{\"type\":\"message_stop\"}}\n\n"
        )
    };
    let read = |start, end| AnswerStream::anthropic("t1-", []).push(stream(start, end).as_bytes());
    let last = |start, end| {
        let answer = throughline_completion::Answer::from_events(read(start, end)).unwrap();
        answer.usage.map(|usage| (usage.input, usage.cache_read, usage.output))
    };
    assert_eq!(last(1_000, r#"{"input_tokens":0,"output_tokens":20}"#), Some((1_000, 0, 20)));
    assert_eq!(
        last(1_000, r#"{"input_tokens":0,"cache_read_input_tokens":900,"output_tokens":20}"#),
        Some((0, 900, 20))
    );
    assert_eq!(last(0, r#"{"input_tokens":"7","output_tokens":20}"#), Some((7, 0, 20)));
    assert_eq!(last(0, r#"{"input_tokens":0,"output_tokens":20}"#), None);
}
