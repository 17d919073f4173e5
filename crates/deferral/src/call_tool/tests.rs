//! What a call of `call_tool` means.

use serde_json::{Value, json};
use throughline_conversation::ToolCall;

use super::{CALL_TOOL, call_tool, deferred_call};

#[test]
fn a_call_means_the_call_that_it_names() {
    let called = |input: Value| {
        let call = ToolCall { id: "c1".to_owned(), name: CALL_TOOL.to_owned(), input };
        deferred_call(&call).map(|call| (call.id, call.name, call.input))
    };
    let stands = |input: Value| Some(("c1".to_owned(), "mail".to_owned(), input));
    assert_eq!(called(json!({"name": "mail", "input": {"to": "ann"}})), stands(json!({"to": "ann"})));
    assert_eq!(called(json!({"name": " mail ", "input": "{\"to\": 1}"})), stands(json!({"to": 1})));
    assert_eq!(called(json!({"name": "mail"})), stands(json!({})));
    let none = [json!({}), json!({"name": ""}), json!({"name": "mail", "input": [1]}), json!("mail")];
    for wrong in none.into_iter().chain([json!({"name": CALL_TOOL, "input": {}})]) {
        assert_eq!(called(wrong.clone()), None, "{wrong}");
    }
    let other = ToolCall { id: "c2".to_owned(), name: "mail".to_owned(), input: json!({"name": "x"}) };
    assert_eq!(deferred_call(&other), None);
    assert_eq!(call_tool().name, CALL_TOOL);
}
