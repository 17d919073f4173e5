//! A request and its body, written out.

use std::sync::Arc;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{
    CacheBreakpoint, CacheTtl, ContentBlock, Image, Message, Place, Role, SectionText, SessionId, Thinking,
    ToolDefinition, ToolOrigin, ToolResult, Transcript,
};
use throughline_testkit::parse;

use super::encode;
use crate::validate;

fn request(messages: Vec<Message>) -> CompletionRequest {
    let section = |text: &str| SectionText {
        name: "s".to_owned(),
        text: text.to_owned(),
        cacheable: true,
        skill: false,
    };
    let read = ToolDefinition {
        name: "read".to_owned(),
        description: "Reads a file.".to_owned(),
        input_schema: json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        origin: ToolOrigin::Builtin,
    };
    CompletionRequest {
        model: "m".to_owned(),
        session: Some(SessionId::new("s-1").unwrap()),
        tools: Arc::new([read]),
        system: Arc::new([section("You are an agent."), section("Root rules.")]),
        transcript: Transcript::from_messages(messages),
        tail: vec!["[Context: 83% used.]".to_owned()],
        breakpoints: Vec::new(),
        max_output_tokens: 64,
    }
}

fn marker(place: Place) -> CacheBreakpoint {
    CacheBreakpoint { place, ttl: CacheTtl::FiveMinutes }
}

/// One line for each tool, section and block.
fn lines(body: &Value) -> String {
    let mut lines = Vec::new();
    for part in ["tools", "system"] {
        let values = body.get(part).and_then(Value::as_array).into_iter().flatten();
        lines.extend(values.map(|value| format!("{part}: {value}")));
    }
    for message in body["messages"].as_array().unwrap() {
        lines.push(format!("{}:", message["role"].as_str().unwrap()));
        lines.extend(message["content"].as_array().unwrap().iter().map(|block| format!("  {block}")));
    }
    lines.join("\n")
}

fn check(request: &CompletionRequest, after: &Expect) {
    let body = encode(request);
    assert_eq!(validate::anthropic(&body), []);
    after.assert_eq(&lines(&body));
}

#[test]
fn the_head_of_the_body() {
    let mut body = encode(&request(parse("user: hi")));
    for part in ["tools", "system", "messages"] {
        body[part] = json!("...");
    }
    expect![[r#"{"model":"m","max_tokens":64,"stream":true,"tools":"...","system":"...","messages":"..."}"#]]
        .assert_eq(&body.to_string());
}

// S3-12 S3-14
#[test]
fn breakpoints_become_cache_control_and_the_tail_stands_behind_them() {
    let mut request = request(parse(
        "user: fix the bug
         assistant: let me look
           -> c1 read {\"path\":\"a.rs\"}
           -> c2 read {\"path\":\"b.rs\"}
         results:
           c1 = fn main() {}
           c2 ! no such file
         user: hurry",
    ));
    let places = [Place::Message(3), Place::Tool(0), Place::Section(1), Place::Message(1)];
    request.breakpoints = places.into_iter().map(marker).collect();
    check(
        &request,
        &expect![[r#"
        tools: {"name":"read","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}},"cache_control":{"type":"ephemeral"}}
        system: {"type":"text","text":"You are an agent."}
        system: {"type":"text","text":"Root rules.","cache_control":{"type":"ephemeral"}}
        user:
          {"type":"text","text":"fix the bug"}
        assistant:
          {"type":"text","text":"let me look"}
          {"type":"tool_use","id":"c1","name":"read","input":{"path":"a.rs"}}
          {"type":"tool_use","id":"c2","name":"read","input":{"path":"b.rs"},"cache_control":{"type":"ephemeral"}}
        user:
          {"type":"tool_result","tool_use_id":"c1","content":"fn main() {}"}
          {"type":"tool_result","tool_use_id":"c2","content":"no such file","is_error":true}
          {"type":"text","text":"hurry","cache_control":{"type":"ephemeral"}}
          {"type":"text","text":"[Context: 83% used.]"}"#]],
    );
}

// S3-14
#[test]
fn markers_that_the_api_refuses_are_left_out_or_made_shorter() {
    let mut request = request(parse("user: a\nassistant: b\nuser: c\nassistant: d\nuser: e"));
    request.breakpoints =
        (0..5).map(|at| marker(Place::Message(at))).chain([marker(Place::Message(4))]).collect();
    for marker in request.breakpoints.iter_mut().skip(2) {
        marker.ttl = CacheTtl::OneHour;
    }
    check(
        &request,
        &expect![[r#"
        tools: {"name":"read","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}
        system: {"type":"text","text":"You are an agent."}
        system: {"type":"text","text":"Root rules."}
        user:
          {"type":"text","text":"a"}
        assistant:
          {"type":"text","text":"b","cache_control":{"type":"ephemeral"}}
        user:
          {"type":"text","text":"c","cache_control":{"type":"ephemeral"}}
        assistant:
          {"type":"text","text":"d","cache_control":{"type":"ephemeral"}}
        user:
          {"type":"text","text":"e","cache_control":{"type":"ephemeral"}}
          {"type":"text","text":"[Context: 83% used.]"}"#]],
    );
    request.breakpoints.drain(..2);
    check(
        &request,
        &expect![[r#"
        tools: {"name":"read","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}
        system: {"type":"text","text":"You are an agent."}
        system: {"type":"text","text":"Root rules."}
        user:
          {"type":"text","text":"a"}
        assistant:
          {"type":"text","text":"b"}
        user:
          {"type":"text","text":"c","cache_control":{"type":"ephemeral","ttl":"1h"}}
        assistant:
          {"type":"text","text":"d","cache_control":{"type":"ephemeral","ttl":"1h"}}
        user:
          {"type":"text","text":"e","cache_control":{"type":"ephemeral","ttl":"1h"}}
          {"type":"text","text":"[Context: 83% used.]"}"#]],
    );
}

// F-05: thinking goes back as it came, or not at all.
#[test]
fn thinking_keeps_its_signature() {
    let thinking = |text: &str, signature: Option<&str>, redacted: Option<&str>| {
        ContentBlock::Thinking(Thinking {
            text: text.to_owned(),
            signature: signature.map(ToOwned::to_owned),
            redacted: redacted.map(ToOwned::to_owned),
        })
    };
    let said = |text: &str| ContentBlock::Text { text: text.to_owned() };
    let thinks = Message {
        role: Role::Assistant,
        content: vec![
            thinking("signed", Some("sig"), None),
            thinking("unsigned", None, None),
            thinking("", None, Some("opaque")),
            said("so"),
            thinking("at the end", Some("sig"), None),
        ],
    };
    let only_thinks = Message { role: Role::Assistant, content: vec![thinking("hm", Some("sig"), None)] };
    let messages = vec![Message::user("a"), thinks, Message::user("b"), only_thinks, Message::user("c")];
    let mut request = request(messages);
    request.breakpoints = vec![marker(Place::Message(1)), marker(Place::Message(3))];
    check(
        &request,
        &expect![[r#"
        tools: {"name":"read","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}
        system: {"type":"text","text":"You are an agent."}
        system: {"type":"text","text":"Root rules."}
        user:
          {"type":"text","text":"a"}
        assistant:
          {"type":"thinking","thinking":"signed","signature":"sig"}
          {"type":"redacted_thinking","data":"opaque"}
          {"type":"text","text":"so","cache_control":{"type":"ephemeral"}}
        user:
          {"type":"text","text":"b"}
          {"type":"text","text":"c"}
          {"type":"text","text":"[Context: 83% used.]"}"#]],
    );
}

#[test]
fn pictures_stand_where_the_api_takes_them() {
    let picture = |media_type: &str| Image { media_type: media_type.to_owned(), data: "aW1n".to_owned() };
    let mut messages = parse("user: look\nassistant: yes\n  -> c1 shot\n  -> c2 shot");
    messages[0].content.push(ContentBlock::Image(picture("image/png")));
    messages[0].content.push(ContentBlock::Image(picture("image/bmp")));
    messages[1].content.insert(0, ContentBlock::Image(picture("image/png")));
    let with = |id: &str, said: &str| ToolResult {
        images: vec![picture("image/webp")],
        ..ToolResult::text(id, said)
    };
    messages.push(Message::results([with("c1", "the screen"), with("c2", "")]));
    check(
        &request(messages),
        &expect![[r#"
        tools: {"name":"read","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}
        system: {"type":"text","text":"You are an agent."}
        system: {"type":"text","text":"Root rules."}
        user:
          {"type":"text","text":"look"}
          {"type":"image","source":{"type":"base64","media_type":"image/png","data":"aW1n"}}
          {"type":"text","text":"[picture of type \"image/bmp\", not shown]"}
        assistant:
          {"type":"text","text":"[picture of type \"image/png\", not shown]"}
          {"type":"text","text":"yes"}
          {"type":"tool_use","id":"c1","name":"shot","input":{}}
          {"type":"tool_use","id":"c2","name":"shot","input":{}}
        user:
          {"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"the screen"},{"type":"image","source":{"type":"base64","media_type":"image/webp","data":"aW1n"}}]}
          {"type":"tool_result","tool_use_id":"c2","content":[{"type":"image","source":{"type":"base64","media_type":"image/webp","data":"aW1n"}}]}
          {"type":"text","text":"[Context: 83% used.]"}"#]],
    );
}

// The API takes no picture inside a result that failed, and no such result without a word.
#[test]
fn a_failed_result_has_a_text_and_its_pictures_follow_all_results() {
    let picture = |media_type: &str| Image { media_type: media_type.to_owned(), data: "aW1n".to_owned() };
    let mut messages = parse("user: look\nassistant: yes\n  -> c1 shot\n  -> c:2 shot\n  -> c3 read");
    let failed = |id: &str, said: &str, images: Vec<Image>| ToolResult {
        images,
        is_error: true,
        ..ToolResult::text(id, said)
    };
    messages.push(Message::results([
        failed("c1", "no such window", vec![picture("image/png"), picture("image/bmp")]),
        failed("c:2", " ", vec![picture("image/webp")]),
        failed("c3", "", Vec::new()),
    ]));
    let mut request = request(messages);
    request.breakpoints = vec![marker(Place::Message(2))];
    check(
        &request,
        &expect![[r#"
        tools: {"name":"read","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}
        system: {"type":"text","text":"You are an agent."}
        system: {"type":"text","text":"Root rules."}
        user:
          {"type":"text","text":"look"}
        assistant:
          {"type":"text","text":"yes"}
          {"type":"tool_use","id":"c1","name":"shot","input":{}}
          {"type":"tool_use","id":"c_2-f69743190d7ddd9e","name":"shot","input":{}}
          {"type":"tool_use","id":"c3","name":"read","input":{}}
        user:
          {"type":"tool_result","tool_use_id":"c1","content":"no such window","is_error":true}
          {"type":"tool_result","tool_use_id":"c_2-f69743190d7ddd9e","content":"[the call failed and gave no reason]","is_error":true}
          {"type":"tool_result","tool_use_id":"c3","content":"[the call failed and gave no reason]","is_error":true}
          {"type":"text","text":"[pictures of the result of call c1]"}
          {"type":"image","source":{"type":"base64","media_type":"image/png","data":"aW1n"}}
          {"type":"text","text":"[picture of type \"image/bmp\", not shown]"}
          {"type":"text","text":"[pictures of the result of call c_2-f69743190d7ddd9e]"}
          {"type":"image","source":{"type":"base64","media_type":"image/webp","data":"aW1n"},"cache_control":{"type":"ephemeral"}}
          {"type":"text","text":"[Context: 83% used.]"}"#]],
    );
}

// F-03: what the user's side says in a row is one message, its results first.
#[test]
fn messages_of_one_side_become_one() {
    let mut messages = parse(
        "user: [summary]\nuser: keep going\nassistant: one\n  -> a:1 read\nuser: wait\nresults:\n  a:1 = ",
    );
    messages.insert(4, Message::assistant(" "));
    let mut request = request(messages);
    request.tail.clear();
    check(
        &request,
        &expect![[r#"
        tools: {"name":"read","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}
        system: {"type":"text","text":"You are an agent."}
        system: {"type":"text","text":"Root rules."}
        user:
          {"type":"text","text":"[summary]"}
          {"type":"text","text":"keep going"}
        assistant:
          {"type":"text","text":"one"}
          {"type":"tool_use","id":"a_1-e661e41904a09e69","name":"read","input":{}}
        user:
          {"type":"tool_result","tool_use_id":"a_1-e661e41904a09e69"}
          {"type":"text","text":"wait"}"#]],
    );
}

#[test]
fn calls_without_tools_get_placeholders_that_cannot_be_called() {
    let mut request =
        request(parse("user: a\nassistant: b\n  -> c1 read\n  -> c2 no.tool!\nresults:\n  c1 = x\n  c2 = y"));
    request.tools = Arc::new([]);
    request.tail.clear();
    check(
        &request,
        &expect![[r#"
        tools: {"name":"read","input_schema":{"type":"object","properties":{}}}
        tools: {"name":"no_tool_","input_schema":{"type":"object","properties":{}}}
        system: {"type":"text","text":"You are an agent."}
        system: {"type":"text","text":"Root rules."}
        user:
          {"type":"text","text":"a"}
        assistant:
          {"type":"text","text":"b"}
          {"type":"tool_use","id":"c1","name":"read","input":{}}
          {"type":"tool_use","id":"c2","name":"no_tool_","input":{}}
        user:
          {"type":"tool_result","tool_use_id":"c1","content":"x"}
          {"type":"tool_result","tool_use_id":"c2","content":"y"}"#]],
    );
    assert_eq!(encode(&request)["tool_choice"], json!({"type": "none"}));
}
