//! What is a call, and what is not.

use serde_json::json;

use super::*;

fn rejected(line: &str) -> Value {
    Call::read(line.as_bytes()).unwrap_err().to_value()
}

#[test]
fn a_call_has_a_method_and_fields() {
    let call = Call::read(br#"{"jsonrpc":"2.0","id":7,"method":"state","params":{"context":"a"}}"#).unwrap();
    assert_eq!((call.id.clone(), call.method.as_str(), call.context()), (Some(json!(7)), "state", Some("a")));
    let bare = Call::read(br#"{"jsonrpc":"2.0","method":"list"}"#).unwrap();
    assert_eq!((bare.id, bare.params), (None, json!({})));
}

#[test]
fn half_a_character_in_a_text_leaves_no_client_without_an_answer() {
    let call =
        Call::read(br#"{"jsonrpc":"2.0","id":77,"method":"user","params":{"text":"x\ud83dy"}}"#).unwrap();
    assert_eq!((call.id, &call.params["text"]), (Some(json!(77)), &json!("x\u{fffd}y")));
}

#[test]
fn lines_that_are_no_calls_say_why_and_repeat_the_id() {
    for (line, code, id, why) in [
        ("{", PARSE_ERROR, json!(null), "not JSON"),
        ("[]", INVALID_REQUEST, json!(null), "batches"),
        ("7", INVALID_REQUEST, json!(null), "an object"),
        (r#"{"id":1,"method":"list"}"#, INVALID_REQUEST, json!(1), "`jsonrpc`"),
        (r#"{"jsonrpc":"2.0","id":"x"}"#, INVALID_REQUEST, json!("x"), "`method`"),
        (r#"{"jsonrpc":"2.0","id":{},"method":"list"}"#, INVALID_REQUEST, json!(null), "`id`"),
        (r#"{"jsonrpc":"2.0","id":2,"method":"list","params":[1]}"#, INVALID_REQUEST, json!(2), "by name"),
    ] {
        let error = rejected(line);
        assert_eq!((&error["error"]["code"], &error["id"]), (&json!(code), &id), "{line}");
        assert!(error["error"]["message"].as_str().unwrap().contains(why), "{error}");
    }
}

#[test]
fn an_error_of_an_operation_has_its_code_in_words() {
    let error = CallError::new(ErrorCode::NoRequest, "no request is open");
    let answer: Value = serde_json::from_slice(&end_answer(&json!(3), Err(error))).unwrap();
    assert_eq!(
        answer["error"],
        json!({ "code": -32_000, "message": "no request is open", "data": { "code": "no_request" } })
    );
}
