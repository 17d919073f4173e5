//! A request and its body, written out.

use expect_test::{Expect, expect};
use serde_json::json;
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Image, Message, Role, Thinking};
use throughline_testkit::{parse, request};

use super::super::signature;
use super::{GeminiOptions, encode};
use crate::tests::example::{marked, tool_loop};
use crate::validate;

const SIGNED: GeminiOptions =
    GeminiOptions { thinking_budget: None, signed_calls: Some(true), web_search: Some(true) };

/// One line for each content.
fn check(request: &CompletionRequest, after: &Expect) {
    let body = encode(request, &SIGNED);
    assert_eq!(validate::gemini("gemini-3-pro", &body), []);
    let lines: Vec<String> = body["contents"].as_array().unwrap().iter().map(ToString::to_string).collect();
    after.assert_eq(&lines.join("\n"));
}

#[test]
fn the_head_of_the_body() {
    let mut body = encode(&request(parse("user: hi")), &GeminiOptions::default());
    body["contents"] = json!("...");
    expect![[r#"{"systemInstruction":{"parts":[{"text":"You are an agent.\n\nRoot rules."}]},"tools":[{"functionDeclarations":[{"name":"read","description":"Reads a file.","parametersJsonSchema":{"type":"object","properties":{}}}]}],"generationConfig":{"maxOutputTokens":64},"contents":"..."}"#]].assert_eq(&body.to_string());
}

// S3-14
#[test]
fn breakpoints_are_left_out() {
    let plain = request(parse("user: hi"));
    assert_eq!(encode(&marked(&plain), &SIGNED).to_string(), encode(&plain, &SIGNED).to_string());
}

#[test]
fn results_are_in_one_content_and_the_tail_follows_them() {
    check(
        &tool_loop(),
        &expect![[r#"
        {"role":"user","parts":[{"text":"[summary]"},{"text":"fix the bug"}]}
        {"role":"model","parts":[{"text":"let me look"},{"functionCall":{"id":"c1","name":"read","args":{"path":"a.rs"}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"id":"c2","name":"read","args":{}}}]}
        {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read","response":{"output":"fn main() {}"}}},{"functionResponse":{"id":"c2","name":"read","response":{"error":"no such file"}}}]}
        {"role":"model","parts":[{"functionCall":{"id":"functions_read_3-5b4c7ec9f36ea4db","name":"read","args":{}},"thoughtSignature":"skip_thought_signature_validator"}]}
        {"role":"user","parts":[{"functionResponse":{"id":"functions_read_3-5b4c7ec9f36ea4db","name":"read","response":{"output":""}}},{"text":"[Context: 83% used.]"}]}"#]],
    );
}

#[test]
fn signatures_go_back_on_their_parts() {
    let thought = |text: &str| {
        ContentBlock::Thinking(Thinking { text: text.to_owned(), signature: None, redacted: None })
    };
    let text = |text: &str| ContentBlock::Text { text: text.to_owned() };
    let item = json!({"executableCode": {"code": "1 + 1", "language": "PYTHON"}});
    let answer = Message {
        role: Role::Assistant,
        content: vec![
            thought("unsigned"),
            signature::thought("signed".to_owned(), "dGg="),
            text("Hello"),
            text(" there"),
            signature::of_text("dGV4dA=="),
            ContentBlock::Thinking(Thinking::of_item(&item)),
            ContentBlock::Thinking(Thinking::of_item(&json!({"groundingMetadata": {}}))),
            signature::block("bGFzdA=="),
        ],
    };
    let messages = [Message::user("hi"), answer, Message::user("more")];
    check(
        &request(messages.to_vec()),
        &expect![[r#"
        {"role":"user","parts":[{"text":"hi"}]}
        {"role":"model","parts":[{"text":"signed","thought":true,"thoughtSignature":"dGg="},{"text":"Hello"},{"text":" there","thoughtSignature":"dGV4dA=="},{"executableCode":{"code":"1 + 1","language":"PYTHON"}},{"text":"","thoughtSignature":"bGFzdA=="}]}
        {"role":"user","parts":[{"text":"more"},{"text":"[Context: 83% used.]"}]}"#]],
    );
}

#[test]
fn a_picture_that_the_api_does_not_take_is_named() {
    let picture = |media_type: &str| {
        ContentBlock::Image(Image { media_type: media_type.to_owned(), data: "aW1n".to_owned() })
    };
    let message = Message { role: Role::User, content: vec![picture("image/png"), picture("image/gif")] };
    check(
        &request(vec![message]),
        &expect![[
            r#"{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"aW1n"}},{"text":"[picture of type \"image/gif\", not shown]"},{"text":"[Context: 83% used.]"}]}"#
        ]],
    );
}

#[test]
fn thinking_is_a_level_or_a_number() {
    let config_of = |model: &str, budget: u64, signed_calls: bool| {
        let options = GeminiOptions {
            thinking_budget: Some(budget),
            signed_calls: Some(signed_calls),
            web_search: None,
        };
        let mut request = request(parse("user: hi"));
        request.model = model.to_owned();
        encode(&request, &options)["generationConfig"]["thinkingConfig"].to_string()
    };
    let config = |budget, signed_calls| config_of("gemini-3.5-flash", budget, signed_calls);
    assert_eq!(config(4_096, false), r#"{"thinkingBudget":4096,"includeThoughts":true}"#);
    for (budget, level) in [(1_024, "low"), (4_096, "medium"), (16_384, "high")] {
        let expected = format!(r#"{{"thinkingLevel":"{level}","includeThoughts":true}}"#);
        assert_eq!(config(budget, true), expected);
    }
    assert_eq!(config(0, true), r#"{"thinkingLevel":"minimal","includeThoughts":false}"#);
    for model in ["gemini-3.1-pro-preview", "models/gemini-3.8-flash", "gemini-4-neon"] {
        assert_eq!(config_of(model, 0, true), r#"{"thinkingLevel":"low","includeThoughts":false}"#);
    }
}
