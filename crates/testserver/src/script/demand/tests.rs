//! Bodies with and without the demanded reasoning.

use serde_json::{Value, json};
use throughline_wire::validate::WireFault;

use super::Demand;

#[test]
fn a_body_without_the_demanded_reasoning_has_faults() {
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
        assert_eq!(found(Demand::Thinking.faults(&body)), expected(without_tools), "{body}");
        body["tools"] = json!([{"type": "function"}]);
        assert_eq!(found(Demand::Thinking.faults(&body)), expected(with_tools), "{body}");
    }
    let signed =
        |extra: Value| json!({"messages": [said(json!({"tool_calls": calls(extra)})), said(json!({}))]});
    assert_eq!(Demand::Signatures.faults(&signed(json!({"google": {"thought_signature": "Ag="}}))), []);
    for extra in [Value::Null, json!({"google": {}}), json!({"google": {"thought_signature": ""}})] {
        let faults = Demand::Signatures.faults(&signed(extra));
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].path, "messages.[0].tool_calls[0].extra_content");
        assert!(faults[0].message.starts_with("Function call is missing a thought_signature"), "{faults:?}");
    }
}
