//! A request and its body, written out.

use expect_test::{Expect, expect};
use serde_json::json;
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, Thinking, ToolResult};
use throughline_testkit::{parse, request};

use super::encode;
use crate::openai::{MaxTokensField, OpenAiOptions, ThinkingBack};
use crate::openai_responses;
use crate::tests::example::{marked, tool_loop};
use crate::validate;

/// One line for each message.
fn check(request: &CompletionRequest, after: &Expect) {
    let body = encode(request, OpenAiOptions::openai());
    assert_eq!(validate::openai_chat(&body), []);
    let lines: Vec<String> = body["messages"].as_array().unwrap().iter().map(ToString::to_string).collect();
    after.assert_eq(&lines.join("\n"));
}

#[test]
fn the_head_of_the_body() {
    let mut body = encode(&request(parse("user: hi")), OpenAiOptions::openai());
    body["messages"] = json!("...");
    expect![[r#"{"model":"m","max_completion_tokens":64,"stream":true,"stream_options":{"include_usage":true},"prompt_cache_key":"s-1","tools":[{"type":"function","function":{"name":"read","description":"Reads a file.","parameters":{"type":"object","properties":{}}}}],"messages":"..."}"#]].assert_eq(&body.to_string());
}

#[test]
fn a_server_that_differs_is_asked_for_less() {
    let request = request(parse("user: hi"));
    let head = |options| {
        let mut body = encode(&request, options);
        assert_eq!(validate::openai_chat(&body), []);
        let fields = body.as_object_mut().unwrap();
        fields.retain(|name, _| !matches!(name.as_str(), "messages" | "tools"));
        body.to_string()
    };
    assert_eq!(
        head(OpenAiOptions::compatible()),
        r#"{"model":"m","max_tokens":64,"stream":true,"stream_options":{"include_usage":true}}"#
    );
    let bare = OpenAiOptions { stream_usage: false, ..OpenAiOptions::compatible() };
    assert_eq!(head(bare), r#"{"model":"m","max_tokens":64,"stream":true}"#);
    let keyed = OpenAiOptions { max_tokens_field: MaxTokensField::MaxTokens, ..OpenAiOptions::openai() };
    assert_eq!(
        head(keyed),
        r#"{"model":"m","max_tokens":64,"stream":true,"stream_options":{"include_usage":true},"prompt_cache_key":"s-1"}"#
    );
    let key = |options| openai_responses::encode(&request, options).get("prompt_cache_key").is_some();
    assert!(key(OpenAiOptions::openai()) && !key(OpenAiOptions::compatible()));
}

// S3-14
#[test]
fn breakpoints_are_left_out() {
    let plain = request(parse("user: hi"));
    assert_eq!(
        encode(&marked(&plain), OpenAiOptions::openai()).to_string(),
        encode(&plain, OpenAiOptions::openai()).to_string()
    );
}

#[test]
fn results_are_messages_and_the_tail_comes_after_them() {
    check(
        &tool_loop(),
        &expect![[r#"
        {"role":"system","content":"You are an agent.\n\nRoot rules."}
        {"role":"user","content":"[summary]\n\nfix the bug"}
        {"role":"assistant","content":"let me look","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.rs\"}"}},{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]}
        {"role":"tool","tool_call_id":"c1","content":"fn main() {}"}
        {"role":"tool","tool_call_id":"c2","content":"error: no such file"}
        {"role":"assistant","content":null,"tool_calls":[{"id":"functions_read_3-5b4c7ec9f36ea4db","type":"function","function":{"name":"read","arguments":"{}"}}]}
        {"role":"tool","tool_call_id":"functions_read_3-5b4c7ec9f36ea4db","content":""}
        {"role":"user","content":"[Context: 83% used.]"}"#]],
    );
}

#[test]
fn pictures_of_results_follow_in_a_user_message() {
    let picture = |media_type: &str| Image { media_type: media_type.to_owned(), data: "aW1n".to_owned() };
    let mut messages = parse("user: look\nassistant:\n  -> c1 shot\n  -> c2 read");
    messages[1].content.insert(0, ContentBlock::Image(picture("image/png")));
    let shot = ToolResult {
        images: vec![picture("image/png"), picture("image/bmp")],
        ..ToolResult::text("c1", "shot")
    };
    messages.push(Message::results([shot, ToolResult::text("c2", "fine")]));
    check(
        &request(messages),
        &expect![[r#"
        {"role":"system","content":"You are an agent.\n\nRoot rules."}
        {"role":"user","content":"look"}
        {"role":"assistant","content":"[picture of type \"image/png\", not shown]","tool_calls":[{"id":"c1","type":"function","function":{"name":"shot","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]}
        {"role":"tool","tool_call_id":"c1","content":"shot"}
        {"role":"tool","tool_call_id":"c2","content":"fine"}
        {"role":"user","content":[{"type":"text","text":"[pictures of the result of call c1]"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aW1n"}},{"type":"text","text":"[picture of type \"image/bmp\", not shown]"},{"type":"text","text":"[Context: 83% used.]"}]}"#]],
    );
}

/// The model's messages with these blocks of thinking, one line each.
fn given_back(thinking_back: ThinkingBack) -> String {
    let thought = |signature: Option<&str>, text: &str, redacted: Option<&str>| {
        let (signature, redacted) = (signature.map(str::to_owned), redacted.map(str::to_owned));
        ContentBlock::Thinking(Thinking { text: text.to_owned(), signature, redacted })
    };
    let mut messages = parse(
        "user: fix it
         assistant: before any thought
         user: and?
         assistant: I look
           -> c1 read
           -> c2 read
         results:
           c1 = a
           c2 = b
         assistant: of another API
         user: and?
         assistant: of no field
         user: and?
         assistant: done",
    );
    let signed = r#"{"google":{"thought_signature":"AgQ="}}"#;
    messages[3].content.splice(
        0..1,
        [
            thought(Some("reasoning"), "Two ", None),
            ContentBlock::Text { text: "I look".to_owned() },
            thought(Some("reasoning"), "files.", None),
            thought(Some("reasoning_details"), "", Some(r#"[{"type":"reasoning.encrypted","data":"A="}]"#)),
            thought(Some("extra_content"), "", Some(signed)),
        ],
    );
    messages[5].content.insert(0, thought(Some("rs_1"), "hm", Some("gAAA")));
    messages[7].content.insert(0, thought(None, "of unknown origin", None));
    messages[9].content.insert(0, thought(Some("reasoning_content"), "That was it.", None));
    let request = request(messages);
    let body = encode(&request, OpenAiOptions { thinking_back, ..OpenAiOptions::compatible() });
    assert_eq!(validate::openai_chat(&body), []);
    // Another API is not given what it did not say.
    let responses = openai_responses::encode(&request, OpenAiOptions::openai());
    assert_eq!(responses.to_string().matches("encrypted_content\":\"").count(), 1);
    let messages = body["messages"].as_array().unwrap();
    let of_model = messages.iter().filter(|message| message["role"] == "assistant");
    of_model.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn thinking_goes_back_in_the_field_that_it_came_in() {
    expect![[r#"
        {"role":"assistant","content":"before any thought"}
        {"role":"assistant","content":"I look","reasoning":"Two files.","reasoning_details":[{"type":"reasoning.encrypted","data":"A="}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"},"extra_content":{"google":{"thought_signature":"AgQ="}}},{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]}
        {"role":"assistant","content":"of another API"}
        {"role":"assistant","content":"of no field"}
        {"role":"assistant","content":"done","reasoning_content":"That was it."}"#]].assert_eq(&given_back(ThinkingBack::AsItCame));
}

#[test]
fn a_server_that_wants_thinking_gets_some_in_every_message() {
    expect![[r#"
        {"role":"assistant","content":"before any thought","reasoning_content":" "}
        {"role":"assistant","content":"I look","reasoning":"Two files.","reasoning_details":[{"type":"reasoning.encrypted","data":"A="}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"},"extra_content":{"google":{"thought_signature":"AgQ="}}},{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]}
        {"role":"assistant","content":"of another API","reasoning":" "}
        {"role":"assistant","content":"of no field","reasoning":"of unknown origin"}
        {"role":"assistant","content":"done","reasoning_content":"That was it."}"#]].assert_eq(&given_back(ThinkingBack::Always));
}

#[test]
fn a_server_that_refuses_thinking_gets_none() {
    let body = given_back(ThinkingBack::Never);
    for word in ["reasoning", "extra_content", "files", "hm", "That was it"] {
        assert!(!body.contains(word), "{word}: {body}");
    }
}

#[test]
fn thinking_parts_go_back_as_parts_of_the_content() {
    let mut messages = parse("user: hi\nassistant: Yes.\nuser: and?");
    let signature = Some("content.thinking".to_owned());
    let thought = Thinking { text: "Let me see.".to_owned(), signature, redacted: None };
    messages[1].content.insert(0, ContentBlock::Thinking(thought));
    let request = request(messages);
    let said = |options| {
        let body = encode(&request, options);
        assert_eq!(validate::openai_chat(&body), []);
        body["messages"][2].to_string()
    };
    expect![[r#"{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Let me see."}]},{"type":"text","text":"Yes."}]}"#]].assert_eq(&said(OpenAiOptions::compatible()));
    expect![[r#"{"role":"assistant","content":"Yes."}"#]].assert_eq(&said(OpenAiOptions::openai()));
}

// S3-14
#[test]
fn a_claude_behind_a_gateway_is_sent_its_cache_markers() {
    let marked = marked(&tool_loop());
    let body = encode(&marked, OpenAiOptions { cache_control: true, ..OpenAiOptions::compatible() });
    assert_eq!(validate::openai_chat(&body), []);
    let lines: Vec<String> = body["messages"].as_array().unwrap().iter().map(ToString::to_string).collect();
    expect![[r#"
        {"role":"system","content":[{"type":"text","text":"You are an agent."},{"type":"text","text":"Root rules.","cache_control":{"type":"ephemeral","ttl":"1h"}}]}
        {"role":"user","content":[{"type":"text","text":"[summary]","cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"text","text":"fix the bug"}]}
        {"role":"assistant","content":"let me look","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.rs\"}"}},{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]}
        {"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"fn main() {}"}]}
        {"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"error: no such file"}]}
        {"role":"assistant","content":null,"tool_calls":[{"id":"functions.read:3","type":"function","function":{"name":"read","arguments":"{}"}}]}
        {"role":"tool","tool_call_id":"functions.read:3","content":""}
        {"role":"user","content":[{"type":"text","text":"[Context: 83% used.]"}]}"#]].assert_eq(&lines.join("\n"));
    // A marker that moves changes nothing else.
    let plain = encode(
        &CompletionRequest { breakpoints: Vec::new(), ..marked },
        OpenAiOptions { cache_control: true, ..OpenAiOptions::compatible() },
    );
    let without = body.to_string().replace(r#","cache_control":{"type":"ephemeral"}"#, "");
    assert_eq!(without.replace(r#","cache_control":{"type":"ephemeral","ttl":"1h"}"#, ""), plain.to_string());
}
