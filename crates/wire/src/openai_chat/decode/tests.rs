//! Recorded streams and their events.

use expect_test::expect;

use crate::stream::AnswerStream;
use crate::tests::stream_samples::check;

// S4-05
#[test]
fn reasoning_and_parallel_calls() {
    check(
        AnswerStream::openai_chat("t1-", []),
        include_str!("cases/reasoning_and_parallel_calls.sse"),
        &expect![[r#"
            detail Id("c1")
            detail Model("m")
            thinking+ "Two "
            thinking+ "files."
            block {"type":"thinking","text":"Two files.","signature":"reasoning_content"}
            text+ "I look"
            text+ " at both, друг."
            usage 176 in, 1024 read, 0 written, 34 out
            block {"type":"text","text":"I look at both, друг."}
            block {"type":"tool_call","id":"call_a","name":"read","input":{"path":"a.rs"}}
            block {"type":"tool_call","id":"call_b","name":"list","input":{}}
            finished ToolUse
        "#]],
    );
}

// As Google's models sign their calls, which come without an index.
#[test]
fn signed_calls() {
    check(
        AnswerStream::openai_chat("t1-", []),
        include_str!("cases/signed_calls.sse"),
        &expect![[r#"
        thinking+ "Two files."
        usage 9 in, 0 read, 0 written, 4 out
        block {"type":"thinking","text":"Two files.","signature":"reasoning"}
        block {"type":"thinking","text":"","signature":"extra_content","redacted":"{\"google\":{\"thought_signature\":\"AgQKAbc=\"}}"}
        block {"type":"tool_call","id":"call_a","name":"read","input":{"path":"a.rs"}}
        block {"type":"tool_call","id":"call_b","name":"read","input":{}}
        finished ToolUse
    "#]],
    );
}

// As OpenRouter tells it: a signature is one of the whole text.
#[test]
fn reasoning_in_parts() {
    check(
        AnswerStream::openai_chat("t1-", []),
        include_str!("cases/reasoning_in_parts.sse"),
        &expect![[r#"
        thinking+ "Two "
        thinking+ "files."
        block {"type":"thinking","text":"Two files.","signature":"reasoning"}
        text+ "I look."
        block {"type":"text","text":"I look."}
        block {"type":"thinking","text":"","signature":"reasoning_details","redacted":"[{\"type\":\"reasoning.text\",\"text\":\"Two files.\",\"format\":\"anthropic-claude-v1\",\"index\":0,\"signature\":\"Et8B\"},{\"type\":\"reasoning.summary\",\"summary\":\"Of files.\",\"id\":\"rs_1\",\"index\":1},{\"type\":\"reasoning.encrypted\",\"data\":\"AAA=\",\"id\":\"tool_a\",\"index\":0},{\"type\":\"reasoning.encrypted\",\"data\":\"BBB=\",\"id\":\"tool_b\",\"index\":0}]"}
        block {"type":"tool_call","id":"tool_a","name":"read","input":{}}
        finished ToolUse
    "#]],
    );
}

#[test]
fn compatible_server() {
    check(
        AnswerStream::openai_chat("t1-", []),
        include_str!("cases/compatible_server.sse"),
        &expect![[r#"
            usage 9 in, 0 read, 0 written, 1 out
            text+ "Looking."
            unknown {"heartbeat":1}
            usage 9 in, 0 read, 0 written, 20 out
            block {"type":"text","text":"Looking."}
            block {"type":"tool_call","id":"x","name":"read","input":{"path":"a"}}
            block {"type":"tool_call","id":"y","name":"read","input":{"invalid_json":"{\"path\":"}}
            block {"type":"tool_call","id":"t1-call_3","name":"list","input":{"deep":true}}
            finished ToolUse
        "#]],
    );
}

#[test]
fn calls_that_all_have_one_index_and_no_id() {
    check(
        AnswerStream::openai_chat("t1-", []),
        include_str!("cases/one_index_for_all.sse"),
        &expect![[r#"
            block {"type":"tool_call","id":"t1-call_1","name":"read","input":{"path":"a"}}
            block {"type":"tool_call","id":"t1-call_2","name":"read","input":{"path":"b}"}}
            block {"type":"tool_call","id":"t1-call_3","name":"list","input":{}}
            block {"type":"tool_call","id":"t1-call_4","name":"find","input":{"in":{"x":1},"y":2}}
            finished ToolUse
        "#]],
    );
}

#[test]
fn calls_without_an_index() {
    check(
        AnswerStream::openai_chat("t1-", []),
        include_str!("cases/no_index_and_no_id.sse"),
        &expect![[r#"
            block {"type":"tool_call","id":"t1-call_1","name":"read","input":{"path":"a"}}
            block {"type":"tool_call","id":"t1-call_2","name":"read","input":{"path":"b"}}
            block {"type":"tool_call","id":"x","name":"list","input":{}}
            block {"type":"tool_call","id":"y","name":"list","input":{}}
            finished ToolUse
        "#]],
    );
}

#[test]
fn content_that_comes_in_parts() {
    check(
        AnswerStream::openai_chat("t1-", []),
        include_str!("cases/content_in_parts.sse"),
        &expect![[r#"
            thinking+ "Let me "
            thinking+ "see."
            block {"type":"thinking","text":"Let me see.","signature":"content.thinking"}
            text+ "It is "
            text+ "here"
            text+ ", друг"
            usage 9 in, 0 read, 0 written, 8 out
            text+ "."
            block {"type":"text","text":"It is here, друг."}
            block {"type":"thinking","text":"","signature":"provider_item","redacted":"{\"type\":\"reference\",\"reference_ids\":[1]}"}
            finished EndTurn
        "#]],
    );
}

#[test]
fn error() {
    check(
        AnswerStream::openai_chat("t1-", []),
        include_str!("cases/error.sse"),
        &expect![[r#"
            text+ "I beg"
            error Unavailable { message: "Upstream closed", retry_after_ms: None }
        "#]],
    );
}

#[test]
fn a_stream_that_ends_with_done_alone_is_complete() {
    check(
        AnswerStream::openai_chat("a-", []),
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\ndata: [DONE]\n\n",
        &expect![[r#"
            text+ "Hello"
            block {"type":"text","text":"Hello"}
            finished EndTurn
        "#]],
    );
    // Without the mark it broke off.
    check(
        AnswerStream::openai_chat("a-", []),
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n",
        &expect![[r#"
            text+ "Hello"
            error Interrupted { message: "the stream ended without a finish reason" }
        "#]],
    );
}

/// xAI's reports (Wei-Shaw/sub2api#5771).
#[test]
fn reasoning_apart_from_the_answer_is_output() {
    let usage = |total: u64| {
        format!(
            "{{\"prompt_tokens\":10120,\"completion_tokens\":1499,\"total_tokens\":{total},\"completion_tokens_details\":{{\"reasoning_tokens\":1409}}}}"
        )
    };
    let read = |total| {
        crate::openai::read_usage(&serde_json::from_str(&usage(total)).unwrap(), "prompt", "completion")
            .output
    };
    assert_eq!(read(10_120 + 1_499 + 1_409), 2_908);
    assert_eq!(read(10_120 + 1_499), 1_499, "it is a part of the answer");
}

#[test]
fn a_usage_report_never_counts_more_than_the_prompt() {
    check(
        AnswerStream::openai_chat("a-", []),
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":2168,\"completion_tokens\":9,\"prompt_tokens_details\":{\"cached_tokens\":2161,\"cache_write_tokens\":2161}}}\n\n",
        &expect![[r#"
            usage 0 in, 2161 read, 7 written, 9 out
            text+ "Hi"
            block {"type":"text","text":"Hi"}
            finished EndTurn
        "#]],
    );
}

/// The events of a stream of these pieces of data.
fn events(pieces: &[&str], expected: &expect_test::Expect) {
    let stream: String = pieces.iter().map(|piece| format!("data: {piece}\n\n")).collect();
    check(AnswerStream::openai_chat("a-", []), &stream, expected);
}

#[test]
fn an_answer_that_its_server_broke_off_is_no_answer() {
    for reason in ["error", "abort", "network_error", "ERROR"] {
        let end = format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":"{reason}"}}]}}"#);
        let found = AnswerStream::openai_chat("a-", []).whole(serde_json::from_str(&end).unwrap());
        assert!(
            matches!(found.last(), Some(Err(throughline_completion::ModelError::Interrupted { .. }))),
            "{reason}: {found:?}"
        );
    }
    events(
        &[
            r#"{"choices":[{"delta":{"content":"par"}}]}"#,
            r#"{"choices":[{"delta":{"content":""},"finish_reason":"error","error":{"code":504,"message":"upstream timed out"}}]}"#,
        ],
        &expect![[r#"
            text+ "par"
            error Unavailable { message: "upstream timed out", retry_after_ms: None }
        "#]],
    );
}

#[test]
fn a_message_in_place_of_a_delta_is_the_answer() {
    events(
        &[r#"{"choices":[{"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}"#],
        &expect![[r#"
            text+ "Hello"
            block {"type":"text","text":"Hello"}
            finished EndTurn
        "#]],
    );
    // After deltas it only repeats them.
    events(
        &[
            r#"{"choices":[{"delta":{"content":"Hello"}}]}"#,
            r#"{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}"#,
        ],
        &expect![[r#"
            text+ "Hello"
            block {"type":"text","text":"Hello"}
            finished EndTurn
        "#]],
    );
}

#[test]
fn whole_calls_with_one_id_and_one_index_stay_apart() {
    let call = |path: &str| {
        format!(
            r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":0,"id":"call_0","function":{{"name":"read","arguments":"{{\"path\":\"{path}\"}}"}}}}]}}}}]}}"#
        )
    };
    let end = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    events(
        &[&call("a"), &call("b"), &call("b"), end],
        &expect![[r#"
            block {"type":"tool_call","id":"call_0","name":"read","input":{"path":"a"}}
            block {"type":"tool_call","id":"a-call_2","name":"read","input":{"path":"b"}}
            finished ToolUse
        "#]],
    );
}

#[test]
fn a_character_cut_in_two_is_whole_again() {
    events(
        &[
            r#"{"choices":[{"delta":{"content":"x \ud83d"}}]}"#,
            r#"{"choices":[{"delta":{"content":"\ude00 y"},"finish_reason":"stop"}]}"#,
        ],
        &expect![[r#"
            text+ "x "
            text+ "😀 y"
            block {"type":"text","text":"x 😀 y"}
            finished EndTurn
        "#]],
    );
}

#[test]
fn an_id_that_counts_continues_to_count() {
    let taken = ["functions.read:0".to_owned(), "functions.read:1".to_owned()];
    check(
        AnswerStream::openai_chat("a-", taken),
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"functions.read:0\",\"function\":{\"name\":\"read\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
        &expect![[r#"
            block {"type":"tool_call","id":"functions.read:2","name":"read","input":{}}
            finished ToolUse
        "#]],
    );
}

// As gateways to Bedrock write them.
#[test]
fn an_empty_object_before_the_arguments_is_left_out() {
    let piece = |call: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{call}]}}}}]}}\n\n");
    let begin = piece(r#"{"index":0,"id":"x","function":{"name":"read","arguments":"{}"}}"#);
    let rest = piece(r#"{"index":0,"function":{"arguments":"{\"path\":\"a\"}"}}"#);
    check(
        AnswerStream::openai_chat("t1-", []),
        &format!("{begin}{rest}data: {{\"choices\":[{{\"finish_reason\":\"stop\"}}]}}\n\ndata: [DO"),
        &expect![[r#"
            block {"type":"tool_call","id":"x","name":"read","input":{"path":"a"}}
            finished ToolUse
        "#]],
    );
}

#[test]
fn a_report_without_a_prompt_does_not_count_and_zeros_replace_nothing() {
    let end = |usage: &str| {
        format!(r#"{{"choices":[{{"delta":{{"content":"Hi"}},"finish_reason":"stop"}}],"usage":{usage}}}"#)
    };
    for usage in [
        "{}",
        r#"{"prompt_tokens":0,"completion_tokens":0}"#,
        r#"{"prompt_tokens":null,"completion_tokens":null}"#,
        r#"{"completion_tokens":5}"#,
    ] {
        events(
            &[&end(usage)],
            &expect![[r#"
                text+ "Hi"
                block {"type":"text","text":"Hi"}
                finished EndTurn
            "#]],
        );
    }
    events(
        &[
            r#"{"choices":[],"usage":{"prompt_tokens":"10","completion_tokens":5.0}}"#,
            &end(r#"{"prompt_tokens":0,"completion_tokens":0}"#),
        ],
        &expect![[r#"
            usage 10 in, 0 read, 0 written, 5 out
            text+ "Hi"
            block {"type":"text","text":"Hi"}
            finished EndTurn
        "#]],
    );
}

#[test]
fn a_refusal_is_the_last_word_about_a_call() {
    events(
        &[
            r#"{"choices":[{"delta":{"refusal":"no","tool_calls":[{"index":0,"id":"x","function":{"name":"read","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#,
        ],
        &expect![[r#"
            text+ "no"
            block {"type":"text","text":"no"}
            block {"type":"tool_call","id":"x","name":"read","input":{}}
            finished Refusal
        "#]],
    );
}

#[test]
fn a_call_in_the_older_field_is_a_call_if_it_says_anything() {
    events(
        &[
            r#"{"choices":[{"delta":{"content":"Hi","function_call":{"name":"","arguments":""}},"finish_reason":"stop"}]}"#,
        ],
        &expect![[r#"
            text+ "Hi"
            block {"type":"text","text":"Hi"}
            finished EndTurn
        "#]],
    );
    events(
        &[
            r#"{"choices":[{"delta":{"function_call":{"name":"read","arguments":"{\"path\":"}}}]}"#,
            r#"{"choices":[{"delta":{"function_call":{"arguments":"\"a\"}"}},"finish_reason":"function_call"}]}"#,
        ],
        &expect![[r#"
            block {"type":"tool_call","id":"a-call_1","name":"read","input":{"path":"a"}}
            finished ToolUse
        "#]],
    );
}
