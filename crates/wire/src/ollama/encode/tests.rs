//! A request and its body, written out.

use expect_test::{Expect, expect};
use serde_json::json;
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, ToolResult};
use throughline_testkit::{parse, request};

use super::encode;
use crate::tests::example::{marked, tool_loop};
use crate::validate;

/// One line for each message.
fn check(request: &CompletionRequest, after: &Expect) {
    let body = encode(request, 8_192);
    assert_eq!(validate::ollama(&body), []);
    let lines: Vec<String> = body["messages"].as_array().unwrap().iter().map(ToString::to_string).collect();
    after.assert_eq(&lines.join("\n"));
}

#[test]
fn the_head_of_the_body() {
    let mut body = encode(&request(parse("user: hi")), 8_192);
    body["messages"] = json!("...");
    expect![[r#"{"model":"m","stream":true,"truncate":false,"shift":false,"options":{"num_ctx":8192,"num_predict":64},"tools":[{"type":"function","function":{"name":"read","description":"Reads a file.","parameters":{"type":"object","properties":{}}}}],"messages":"..."}"#]].assert_eq(&body.to_string());
}

// S3-14
#[test]
fn breakpoints_are_left_out() {
    let plain = request(parse("user: hi"));
    assert_eq!(encode(&marked(&plain), 8_192).to_string(), encode(&plain, 8_192).to_string());
}

#[test]
fn results_are_messages_and_the_tail_comes_after_them() {
    check(
        &tool_loop(),
        &expect![[r#"
        {"role":"system","content":"You are an agent.\n\nRoot rules."}
        {"role":"user","content":"[summary]\n\nfix the bug"}
        {"role":"assistant","content":"let me look","tool_calls":[{"function":{"name":"read","arguments":{"path":"a.rs"}}},{"function":{"name":"read","arguments":{}}}]}
        {"role":"tool","tool_name":"read","content":"fn main() {}"}
        {"role":"tool","tool_name":"read","content":"error: no such file"}
        {"role":"assistant","content":"","tool_calls":[{"function":{"name":"read","arguments":{}}}]}
        {"role":"tool","tool_name":"read","content":""}
        {"role":"user","content":"[Context: 83% used.]"}"#]],
    );
}

#[test]
fn pictures_of_results_follow_in_a_user_message() {
    let picture = |media_type: &str| Image { media_type: media_type.to_owned(), data: "aW1n".to_owned() };
    let mut messages = parse("user: look\nassistant:\n  -> c1 shot\n  -> c2 read");
    messages[0].content.push(ContentBlock::Image(picture("image/webp")));
    messages[1].content.insert(0, ContentBlock::Image(picture("image/png")));
    messages[1].content.push(ContentBlock::Text { text: "both".to_owned() });
    let shot = ToolResult {
        images: vec![picture("image/png"), picture("image/bmp")],
        ..ToolResult::text("c1", "shot")
    };
    messages.push(Message::results([shot, ToolResult::text("c2", "fine")]));
    check(
        &request(messages),
        &expect![[r#"
        {"role":"system","content":"You are an agent.\n\nRoot rules."}
        {"role":"user","content":"look","images":["aW1n"]}
        {"role":"assistant","content":"[picture of type \"image/png\", not shown]\n\nboth","tool_calls":[{"function":{"name":"shot","arguments":{}}},{"function":{"name":"read","arguments":{}}}]}
        {"role":"tool","tool_name":"shot","content":"shot"}
        {"role":"tool","tool_name":"read","content":"fine"}
        {"role":"user","content":"[pictures of the result of shot]\n\n[picture of type \"image/bmp\", not shown]\n\n[Context: 83% used.]","images":["aW1n"]}"#]],
    );
}

// Calls have no ids on this wire.
#[test]
fn results_come_in_the_order_of_the_calls() {
    let request = request(parse(
        "user: read both
         assistant:
           -> c1 read {\"path\":\"a.rs\"}
           -> c2 read {\"path\":\"b.rs\"}
         results:
           c2 = of b
           c1 = of a",
    ));
    check(
        &request,
        &expect![[r#"
        {"role":"system","content":"You are an agent.\n\nRoot rules."}
        {"role":"user","content":"read both"}
        {"role":"assistant","content":"","tool_calls":[{"function":{"name":"read","arguments":{"path":"a.rs"}}},{"function":{"name":"read","arguments":{"path":"b.rs"}}}]}
        {"role":"tool","tool_name":"read","content":"of a"}
        {"role":"tool","tool_name":"read","content":"of b"}
        {"role":"user","content":"[Context: 83% used.]"}"#]],
    );
}

// A transcript with faults has a body nonetheless.
#[test]
fn what_one_side_says_in_a_row_is_one_message() {
    let messages = parse(
        "assistant: one
         assistant: two
           -> c1 read
         results:
           c9 = no call
         assistant: three
         user: four
         user: five",
    );
    let body = encode(&request(messages), 8_192);
    let lines: Vec<String> = body["messages"].as_array().unwrap().iter().map(ToString::to_string).collect();
    expect![[r#"
        {"role":"system","content":"You are an agent.\n\nRoot rules."}
        {"role":"assistant","content":"one\n\ntwo","tool_calls":[{"function":{"name":"read","arguments":{}}}]}
        {"role":"tool","tool_name":"unknown","content":"no call"}
        {"role":"assistant","content":"three"}
        {"role":"user","content":"four\n\nfive\n\n[Context: 83% used.]"}"#]]
    .assert_eq(&lines.join("\n"));
}
