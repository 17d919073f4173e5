//! Tests of reading messages.

use serde_json::{Value, json};

use super::{CheckedMessage, check_message};

fn repaired(line: &str) -> Value {
    match check_message(line.as_bytes()) {
        CheckedMessage::Repaired(fields) => Value::Object(fields),
        other => panic!("{line}: {other:?}"),
    }
}

const RESULT: &str = r#"{"content":[{"type":"text","text":"v"}]}"#;

#[test]
fn a_good_message_is_unchanged_and_a_line_for_a_person_is_no_message() {
    let good = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{RESULT}}}"#);
    assert_eq!(check_message(good.as_bytes()), CheckedMessage::Good(Some(json!(7))));
    let notification =
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#;
    assert_eq!(check_message(notification.as_bytes()), CheckedMessage::Good(None));
    for line in ["started", r#"{"level":"info"}"#, r#"{"level":"error","msg":"#, "", "[1]"] {
        assert_eq!(check_message(line.as_bytes()), CheckedMessage::Other, "{line}");
    }
}

#[test]
fn answers_that_are_written_wrongly_are_repaired() {
    let good = json!({"jsonrpc": "2.0", "id": 7, "result": serde_json::from_str::<Value>(RESULT).unwrap()});
    for line in [
        format!(r#"{{"jsonrpc":"2.0","id":7,"result":{RESULT},"error":null}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":7,"result":{RESULT},"error":{{}}}}"#),
        format!(r#"{{"id":7,"result":{RESULT}}}"#),
        format!(r#"{{"jsonrpc":"1.0","id":7,"result":{RESULT}}}"#),
    ] {
        assert_eq!(repaired(&line), good, "{line}");
    }
    let no_number = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"a":NaN,"b":-Infinity,"c":"NaN\""}}}"#;
    assert_eq!(
        repaired(no_number)["result"]["structuredContent"],
        json!({"a": null, "b": null, "c": "NaN\""})
    );
    let half = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x \ud83d"}]}}"#;
    assert_eq!(repaired(half)["result"]["content"][0]["text"], "x \u{fffd}");
    let latin =
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"caf\xe9\"}]}}";
    assert!(matches!(check_message(latin), CheckedMessage::Repaired(_)));
}

#[test]
fn errors_that_are_written_wrongly_keep_what_they_say() {
    let error = |error: &str| {
        let line = format!(r#"{{"jsonrpc":"2.0","id":7,"error":{error}}}"#);
        let fields = repaired(&line);
        (fields["error"]["code"].as_i64().unwrap(), fields["error"]["message"].as_str().unwrap().to_owned())
    };
    assert_eq!(error(r#"{"code":-5}"#), (-5, r#"an error without a message: {"code":-5}"#.to_owned()));
    assert_eq!(error(r#""it broke""#), (-32_000, "it broke".to_owned()));
    assert_eq!(error(r#"{"code":"E_BAD","message":"no"}"#), (-32_000, "no (code E_BAD)".to_owned()));
    assert_eq!(error(r#"{"code":-1.5,"message":null}"#).0, -32_000);
    assert_eq!(error("null"), (-32_000, "an error without a message".to_owned()));
    let nothing = repaired(r#"{"jsonrpc":"2.0","id":7}"#);
    assert_eq!(nothing["error"]["message"], "its answer has neither a result nor an error");
}

#[test]
fn what_cannot_be_read_says_why() {
    for line in [r#"{"jsonrpc":"2.0","id":7,"result":{"#, r#"{"jsonrpc":"2.0","id":7,"result":"#] {
        assert!(matches!(check_message(line.as_bytes()), CheckedMessage::Unreadable(_)), "{line}");
    }
}
