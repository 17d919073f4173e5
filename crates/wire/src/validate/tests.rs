//! Broken bodies as data: each rule with a body that breaks it, and the exact faults. A case changes fields of a
//! plain body; `merged` is what is left when two messages of one role in a row are taken as one.

use serde_json::{Value, json};

use super::{
    Alternation, WireFault, anthropic, anthropic_with, gemini, ollama, ollama_with, openai_chat,
    openai_chat_with, openai_responses,
};

/// The validator of a body, for a case that may say more about the model.
type Validator = fn(&Value, Alternation, &Value) -> Vec<WireFault>;

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
            validator(&body, alternation, case).iter().map(ToString::to_string).collect()
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
    check(include_str!("../anthropic/validate/cases.json"), &plain, |body, alternation, case| {
        let takes = case.get("takes").map(|form| serde_json::from_value(form.clone()).unwrap());
        anthropic_with(body, alternation, takes)
    });
}

#[test]
fn openai_chat_finds_each_broken_rule() {
    let plain = json!({"model": "m", "messages": [{"role": "user", "content": "hi"}]});
    check(include_str!("../openai_chat/validate/cases.json"), &plain, |body, alternation, _| {
        openai_chat_with(body, alternation)
    });
}

#[test]
fn openai_responses_finds_each_broken_rule() {
    let plain = json!({"model": "m", "input": [{"role": "user", "content": "hi"}]});
    check(include_str!("../openai_responses/validate/cases.json"), &plain, |body, _, _| {
        openai_responses(body)
    });
}

#[test]
fn ollama_finds_each_broken_rule() {
    let plain =
        json!({"model": "m", "options": {"num_ctx": 4096}, "messages": [{"role": "user", "content": "hi"}]});
    check(include_str!("../ollama/validate/cases.json"), &plain, |body, alternation, _| {
        ollama_with(body, alternation)
    });
}

#[test]
fn gemini_finds_each_broken_rule() {
    let plain = json!({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]});
    check(include_str!("../gemini/validate/cases.json"), &plain, |body, _, _| gemini("gemini-3-pro", body));
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
        assert_eq!(gemini("m", &body).len(), 1);
        assert_eq!(anthropic(&body)[0].to_string(), "the body must be a JSON object");
    }
}
