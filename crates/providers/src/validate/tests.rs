//! Broken bodies as data: each rule with a body that breaks it, and the exact faults. A case changes fields of a
//! plain body; `merged` is what is left when two messages of one role in a row are taken as one.

use serde_json::{Value, json};

use super::{
    Alternation, WireFault, anthropic, anthropic_with, ollama, ollama_with, openai_chat,
    openai_chat_signatures, openai_chat_thinking, openai_chat_with, openai_responses,
};

type Validator = fn(&Value, Alternation) -> Vec<WireFault>;

fn check(cases: &str, plain: &Value, validator: Validator) {
    let cases: Vec<Value> = serde_json::from_str(cases).unwrap();
    for case in &cases {
        let mut body = plain.clone();
        for (name, value) in case["change"].as_object().unwrap() {
            body[name] = value.clone();
            if value.is_null() {
                body.as_object_mut().unwrap().remove(name);
            }
        }
        let expected = |name: &str| -> Vec<String> {
            case[name].as_array().unwrap().iter().map(|fault| fault.as_str().unwrap().to_owned()).collect()
        };
        let found = |alternation| -> Vec<String> {
            validator(&body, alternation).iter().map(ToString::to_string).collect()
        };
        assert_eq!(found(Alternation::Strict), expected("faults"), "{}", case["rule"]);
        let merged = if case.get("merged").is_some() { "merged" } else { "faults" };
        assert_eq!(found(Alternation::Merged), expected(merged), "{} (merged)", case["rule"]);
    }
}

#[test]
fn anthropic_finds_each_broken_rule() {
    let plain = json!({
        "model": "m",
        "max_tokens": 16,
        "tools": [{"name": "read", "input_schema": {"type": "object"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
    });
    check(include_str!("../anthropic/validate/cases.json"), &plain, anthropic_with);
}

#[test]
fn openai_chat_finds_each_broken_rule() {
    let plain = json!({"model": "m", "messages": [{"role": "user", "content": "hi"}]});
    check(include_str!("../openai_chat/validate/cases.json"), &plain, openai_chat_with);
}

#[test]
fn openai_responses_finds_each_broken_rule() {
    let plain = json!({"model": "m", "input": [{"role": "user", "content": "hi"}]});
    check(include_str!("../openai_responses/validate/cases.json"), &plain, |body, _| openai_responses(body));
}

#[test]
fn ollama_finds_each_broken_rule() {
    let plain =
        json!({"model": "m", "options": {"num_ctx": 4096}, "messages": [{"role": "user", "content": "hi"}]});
    check(include_str!("../ollama/validate/cases.json"), &plain, ollama_with);
}

#[test]
fn more_tools_than_openai_takes_are_a_fault() {
    let tools: Vec<Value> =
        (0..129).map(|n| json!({"type": "function", "function": {"name": format!("t{n}")}})).collect();
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": tools});
    let found: Vec<String> = openai_chat(&body).iter().map(ToString::to_string).collect();
    let expected = "tools: array too long. Expected an array with maximum length 128, but got an array with \
                    length 129 instead.";
    assert_eq!(found, [expected]);
}

#[test]
fn a_body_that_is_no_object_is_one_fault() {
    for body in [json!(null), json!([]), json!("hi"), json!(7)] {
        assert_eq!(anthropic(&body).len(), 1);
        assert_eq!(openai_chat(&body).len(), 1);
        assert_eq!(openai_responses(&body).len(), 1);
        assert_eq!(ollama(&body).len(), 1);
        assert_eq!(anthropic(&body)[0].to_string(), "the body must be a JSON object");
    }
}

#[test]
fn models_that_think_miss_what_was_theirs() {
    let said = |fields: Value| {
        let mut message = json!({"role": "assistant", "content": "hm"});
        message.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        message
    };
    let calls = |extra: Value| json!([{"id": "a", "type": "function", "extra_content": extra}, {"id": "b"}]);
    let with = |name: &str, value: Value| {
        let mut message = said(json!({"tool_calls": calls(Value::Null)}));
        message[name] = value;
        message
    };
    let found = |faults: Vec<WireFault>| faults.iter().map(ToString::to_string).collect::<Vec<_>>();
    let kimi = "messages.[1].reasoning_content: thinking is enabled but reasoning_content is missing in assistant \
                tool call message at index 1";
    let deepseek = "messages.[1].reasoning_content: The `reasoning_content` in the thinking mode must be passed back to \
                    the API.";
    for (message, without_tools, with_tools) in [
        (said(json!({})), None, Some(deepseek)),
        (said(json!({"reasoning_content": ""})), None, None),
        (with("reasoning_content", Value::Null), Some(kimi), Some(kimi)),
        (with("reasoning_content", json!("")), Some(kimi), Some(kimi)),
        (with("reasoning_content", json!(" ")), None, None),
        (with("reasoning", json!("hm")), None, None),
    ] {
        let mut body = json!({"messages": [{"role": "user", "content": "hi"}, message]});
        let expected = |fault: Option<&str>| fault.map(str::to_owned).into_iter().collect::<Vec<_>>();
        assert_eq!(found(openai_chat_thinking(&body)), expected(without_tools), "{body}");
        body["tools"] = json!([{"type": "function"}]);
        assert_eq!(found(openai_chat_thinking(&body)), expected(with_tools), "{body}");
    }
    let signed =
        |extra: Value| json!({"messages": [said(json!({"tool_calls": calls(extra)})), said(json!({}))]});
    assert_eq!(openai_chat_signatures(&signed(json!({"google": {"thought_signature": "Ag="}}))), []);
    for extra in [Value::Null, json!({"google": {}}), json!({"google": {"thought_signature": ""}})] {
        let faults = openai_chat_signatures(&signed(extra));
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].path, "messages.[0].tool_calls[0].extra_content");
        assert!(faults[0].message.starts_with("Function call is missing a thought_signature"), "{faults:?}");
    }
}
