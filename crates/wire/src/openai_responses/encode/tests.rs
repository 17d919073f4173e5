//! A request and its body, written out.

use expect_test::{Expect, expect};
use serde_json::json;
use throughline_completion::{Assembly, CompletionRequest};
use throughline_conversation::{
    CacheBreakpoint, CacheTtl, ContentBlock, Image, Message, Place, Role, Thinking, ToolCall, ToolResult,
};
use throughline_testkit::{parse, request};

use super::encode;
use crate::AnswerStream;
use crate::openai::OpenAiOptions;
use crate::tests::example::{marked, tool_loop};
use crate::validate;

/// One line for each item.
fn check(request: &CompletionRequest, after: &Expect) {
    let body = encode(request, OpenAiOptions::openai());
    assert_eq!(validate::openai_responses(&body), []);
    let lines: Vec<String> = body["input"].as_array().unwrap().iter().map(ToString::to_string).collect();
    after.assert_eq(&lines.join("\n"));
}

#[test]
fn the_head_of_the_body() {
    let mut body = encode(&request(parse("user: hi")), OpenAiOptions::openai());
    body["input"] = json!("...");
    expect![[r#"{"model":"m","max_output_tokens":64,"stream":true,"store":false,"include":["reasoning.encrypted_content"],"prompt_cache_key":"s-1","tools":[{"type":"function","name":"read","description":"Reads a file.","parameters":{"type":"object","properties":{}},"strict":false}],"instructions":"You are an agent.\n\nRoot rules.","input":"..."}"#]].assert_eq(&body.to_string());
}

#[test]
fn a_limit_below_the_least_is_raised_to_it() {
    for (asked, sent) in [(1, 16), (15, 16), (16, 16), (17, 17)] {
        let request = CompletionRequest { max_output_tokens: asked, ..request(parse("user: hi")) };
        assert_eq!(encode(&request, OpenAiOptions::openai())["max_output_tokens"], sent);
    }
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

// S3-14
#[test]
fn breakpoints_are_on_parts_of_the_user_s_side_and_the_system_prompt_has_parts() {
    let plain = tool_loop();
    let places = [
        Place::Tool(0),
        Place::Section(0),
        Place::Section(1),
        Place::Message(1),
        Place::Message(2),
        Place::Message(4),
    ];
    let breakpoints = places.map(|place| CacheBreakpoint { place, ttl: CacheTtl::FiveMinutes }).to_vec();
    let body = encode(
        &CompletionRequest { breakpoints, ..plain.clone() },
        OpenAiOptions { cache_breakpoints: true, ..OpenAiOptions::openai() },
    );
    assert_eq!(validate::openai_responses(&body), []);
    assert_eq!(
        (&body["prompt_cache_options"], body.get("instructions")),
        (&json!({"mode": "explicit"}), None)
    );
    let lines: Vec<String> = body["input"].as_array().unwrap().iter().map(ToString::to_string).collect();
    expect![[r#"
        {"type":"message","role":"developer","content":[{"type":"input_text","text":"You are an agent."},{"type":"input_text","text":"Root rules.","prompt_cache_breakpoint":{"mode":"explicit"}}]}
        {"type":"message","role":"user","content":[{"type":"input_text","text":"[summary]"},{"type":"input_text","text":"fix the bug","prompt_cache_breakpoint":{"mode":"explicit"}}]}
        {"type":"message","id":"msg_2","role":"assistant","status":"completed","content":[{"type":"output_text","text":"let me look","annotations":[]}]}
        {"type":"function_call","call_id":"c1","name":"read","arguments":"{\"path\":\"a.rs\"}"}
        {"type":"function_call","call_id":"c2","name":"read","arguments":"{}"}
        {"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"fn main() {}"}]}
        {"type":"function_call_output","call_id":"c2","output":[{"type":"input_text","text":"error: no such file","prompt_cache_breakpoint":{"mode":"explicit"}}]}
        {"type":"function_call","call_id":"functions_read_3-5b4c7ec9f36ea4db","name":"read","arguments":"{}"}
        {"type":"function_call_output","call_id":"functions_read_3-5b4c7ec9f36ea4db","output":""}
        {"type":"message","role":"user","content":[{"type":"input_text","text":"[Context: 83% used.]"}]}"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn calls_and_outputs_are_items_and_the_tail_comes_after_them() {
    check(
        &tool_loop(),
        &expect![[r#"
            {"type":"message","role":"user","content":[{"type":"input_text","text":"[summary]"},{"type":"input_text","text":"fix the bug"}]}
            {"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"let me look","annotations":[]}]}
            {"type":"function_call","call_id":"c1","name":"read","arguments":"{\"path\":\"a.rs\"}"}
            {"type":"function_call","call_id":"c2","name":"read","arguments":"{}"}
            {"type":"function_call_output","call_id":"c1","output":"fn main() {}"}
            {"type":"function_call_output","call_id":"c2","output":"error: no such file"}
            {"type":"function_call","call_id":"functions_read_3-5b4c7ec9f36ea4db","name":"read","arguments":"{}"}
            {"type":"function_call_output","call_id":"functions_read_3-5b4c7ec9f36ea4db","output":""}
            {"type":"message","role":"user","content":[{"type":"input_text","text":"[Context: 83% used.]"}]}"#]],
    );
}

#[test]
fn pictures_of_results_are_parts_of_the_output() {
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
            {"type":"message","role":"user","content":[{"type":"input_text","text":"look"},{"type":"input_image","image_url":"data:image/webp;base64,aW1n","detail":"auto"}]}
            {"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"[picture of type \"image/png\", not shown]","annotations":[]}]}
            {"type":"function_call","call_id":"c1","name":"shot","arguments":"{}"}
            {"type":"function_call","call_id":"c2","name":"read","arguments":"{}"}
            {"type":"message","id":"msg_4","role":"assistant","status":"completed","content":[{"type":"output_text","text":"both","annotations":[]}]}
            {"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"shot"},{"type":"input_image","image_url":"data:image/png;base64,aW1n","detail":"auto"},{"type":"input_text","text":"[picture of type \"image/bmp\", not shown]"}]}
            {"type":"function_call_output","call_id":"c2","output":"fine"}
            {"type":"message","role":"user","content":[{"type":"input_text","text":"[Context: 83% used.]"}]}"#]],
    );
}

#[test]
fn a_model_that_does_not_reason_is_not_asked_for_reasoning() {
    let mut messages = parse("user: hi\nassistant: yes\nuser: and?");
    messages[1].content.insert(0, thought("where", Some("rs_1"), Some("gAAA")));
    let request = request(messages);
    let asks = |model: &str, options| {
        let request = CompletionRequest { model: model.to_owned(), ..request.clone() };
        let body = encode(&request, options);
        assert_eq!(validate::openai_responses(&body), []);
        assert_eq!(body.get("include").is_some(), body.to_string().contains("rs_1"));
        body.get("include").is_some()
    };
    for model in ["gpt-5.2", "o3", "m", "openai/o4-mini", "gpt-oss-120b"] {
        assert!(asks(model, OpenAiOptions::openai()) && asks(model, OpenAiOptions::compatible()), "{model}");
        assert!(!asks(model, OpenAiOptions { encrypted_reasoning: false, ..OpenAiOptions::openai() }));
    }
    for model in ["gpt-4o", "gpt-4.1-mini", "chatgpt-4o-latest", "openai/gpt-4o", "ft:gpt-4o-mini:org::id"] {
        assert!(!asks(model, OpenAiOptions::openai()), "{model}");
    }
}

fn thought(text: &str, id: Option<&str>, sealed: Option<&str>) -> ContentBlock {
    let (signature, redacted) = (id.map(str::to_owned), sealed.map(str::to_owned));
    ContentBlock::Thinking(Thinking { text: text.to_owned(), signature, redacted })
}

#[test]
fn sealed_reasoning_goes_back_before_what_it_led_to() {
    let said = |text: &str| ContentBlock::Text { text: text.to_owned() };
    let call =
        ContentBlock::ToolCall(ToolCall { id: "c1".to_owned(), name: "read".to_owned(), input: json!({}) });
    let assistant = |content| Message { role: Role::Assistant, content };
    let mut messages = parse("user: hi");
    messages.push(assistant(vec![
        said("first"),
        thought("where", Some("rs_1"), Some("gAAA")),
        thought("", Some("rs_2"), Some("gAAB")),
        said("second"),
        thought("now read", Some("rs_3"), Some("gAAC")),
        call,
    ]));
    messages.push(Message::results([ToolResult::text("c1", "fine")]));
    messages.push(assistant(vec![
        thought("the server kept this one", Some("rs_4"), None),
        thought("another provider signed this", Some("c2lnbmVk"), None),
        thought("", None, Some("another provider's")),
        thought("where", Some("rs_1"), Some("gAAA")),
        said("done"),
        thought("nothing follows", Some("rs_5"), Some("gAAD")),
        said(" "),
    ]));
    messages.extend(parse("user: thanks"));
    check(
        &request(messages),
        &expect![[r#"
            {"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}
            {"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"first","annotations":[]}]}
            {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"where"}],"encrypted_content":"gAAA"}
            {"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"gAAB"}
            {"type":"message","id":"msg_4","role":"assistant","status":"completed","content":[{"type":"output_text","text":"second","annotations":[]}]}
            {"type":"reasoning","id":"rs_3","summary":[{"type":"summary_text","text":"now read"}],"encrypted_content":"gAAC"}
            {"type":"function_call","call_id":"c1","name":"read","arguments":"{}"}
            {"type":"function_call_output","call_id":"c1","output":"fine"}
            {"type":"message","id":"msg_8","role":"assistant","status":"completed","content":[{"type":"output_text","text":"done","annotations":[]}]}
            {"type":"message","role":"user","content":[{"type":"input_text","text":"thanks"},{"type":"input_text","text":"[Context: 83% used.]"}]}"#]],
    );
}

#[test]
fn the_phase_and_the_id_of_a_message_go_back_and_so_do_the_providers_own_items() {
    let stream = concat!(
        r#"data: {"type":"response.completed","response":{"output":["#,
        r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}},"#,
        r#"{"type":"message","id":"msg_a1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"I look."}]},"#,
        r#"{"type":"message","id":"msg_a2","role":"assistant","status":"completed","phase":"final_answer","content":[{"type":"output_text","text":"Done."}]}"#,
        "]}}\n\n",
    );
    let mut messages = parse("user: hi");
    messages.push(said_in(stream));
    messages.extend(parse("user: thanks"));
    check(
        &request(messages),
        &expect![[r#"
        {"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}
        {"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}}
        {"type":"message","id":"msg_a1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"I look.","annotations":[]}]}
        {"type":"message","id":"msg_a2","role":"assistant","status":"completed","phase":"final_answer","content":[{"type":"output_text","text":"Done.","annotations":[]}]}
        {"type":"message","role":"user","content":[{"type":"input_text","text":"thanks"},{"type":"input_text","text":"[Context: 83% used.]"}]}"#]],
    );
}

#[test]
fn reasoning_that_is_not_sealed_goes_back_to_a_server_that_takes_it() {
    let stream = concat!(
        r#"data: {"type":"response.completed","response":{"output":["#,
        r#"{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"Let me see."}]},"#,
        r#"{"type":"function_call","id":"fc_1","call_id":"c1","name":"read","arguments":"{}"}"#,
        "]}}\n\n",
    );
    let mut messages = parse("user: hi");
    messages.push(said_in(stream));
    messages.extend(parse("results:\n  c1 = fine"));
    let request = request(messages);
    let second = |options| {
        let body = encode(&request, options);
        assert_eq!(validate::openai_responses(&body), []);
        body["input"][1].to_string()
    };
    expect![[r#"{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"Let me see."}]}"#]].assert_eq(&second(OpenAiOptions::compatible()));
    expect![[r#"{"type":"function_call","call_id":"c1","name":"read","arguments":"{}"}"#]]
        .assert_eq(&second(OpenAiOptions::openai()));
}

/// The message that a stream adds up to.
fn said_in(stream: &str) -> Message {
    let mut assembly = Assembly::default();
    for event in AnswerStream::openai_responses("t1-", []).push(stream.as_bytes()) {
        assembly.push(event.unwrap());
    }
    assembly.finish().unwrap().message
}
