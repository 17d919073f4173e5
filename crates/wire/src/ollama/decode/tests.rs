//! Recorded streams and their events.

use expect_test::expect;

use crate::stream::AnswerStream;
use crate::tests::stream_samples::check;

#[test]
fn thinking_and_calls() {
    check(
        AnswerStream::ollama("t1-"),
        include_str!("cases/thinking_and_calls.ndjson"),
        &expect![[r#"
            detail Model("q")
            thinking+ "Two files."
            block {"type":"thinking","text":"Two files."}
            text+ "Смотрю."
            block {"type":"text","text":"Смотрю."}
            block {"type":"tool_call","id":"t1-call_1","name":"read","input":{"path":"a.rs"}}
            block {"type":"tool_call","id":"t1-call_2","name":"list","input":{}}
            block {"type":"tool_call","id":"t1-call_3","name":"read","input":{"invalid_json":"{\"path\":"}}
            usage 26 in, 0 read, 0 written, 298 out
            finished ToolUse
        "#]],
    );
}

#[test]
fn cached_and_cut() {
    check(
        AnswerStream::ollama("t1-"),
        include_str!("cases/cached_and_cut.ndjson"),
        &expect![[r#"
            detail Model("q")
            text+ "Hi"
            unknown {"progress":1}
            block {"type":"text","text":"Hi"}
            finished MaxTokens
        "#]],
    );
}

#[test]
fn error() {
    check(
        AnswerStream::ollama("t1-"),
        include_str!("cases/error.ndjson"),
        &expect![[r#"
            detail Model("q")
            text+ "Hi"
            error Unavailable { message: "model runner has unexpectedly stopped", retry_after_ms: None }
        "#]],
    );
}

#[test]
fn what_was_read_from_the_cache() {
    for recording in [include_str!("cases/cached.ndjson"), include_str!("cases/only_new.ndjson")] {
        check(
            AnswerStream::ollama("t1-"),
            recording,
            &expect![[r#"
                detail Model("q")
                text+ "Hi"
                block {"type":"text","text":"Hi"}
                usage 50 in, 850 read, 0 written, 2 out
                finished EndTurn
            "#]],
        );
    }
}
