//! Slips, and texts of which two things may be meant.

use serde_json::{Value, json};

use super::read;

fn value(text: &str) -> Option<Value> {
    read(text).map(Value::Object)
}

#[test]
fn a_slip_that_leaves_no_doubt_is_read() {
    let meant = json!({"path": "z", "content": "x\ty\n", "list": [1, 2]});
    for text in [
        "{\"path\":\"z\",\"content\":\"x\ty\n\",\"list\":[1,2]}",
        r#"{"path":"z","content":"x\ty\n","list":[1,2,],}"#,
        r#"{"path":"z","content":"x\ty\n","list":[1,2]}}"#,
        r#"{"path":"z","content":"x\ty\n","list":[1,2]}<|im_end|>"#,
        r#"{"path":"z","content":"x\ty\n","list":[1,2]}</tool_call>"#,
        "```json\n{\"path\":\"z\",\"content\":\"x\\ty\\n\",\"list\":[1,2]}\n```",
        r#""{\"path\":\"z\",\"content\":\"x\\ty\\n\",\"list\":[1,2]}""#,
    ] {
        assert_eq!(value(text), Some(meant.clone()), "{text}");
    }
}

#[test]
fn a_text_that_may_mean_two_things_is_not_read() {
    for text in [
        r#"{"path":"z","content":"C:\dir\new"}"#,
        r#"{"path":"z","content":"x"#,
        r#"{"path":"z","content":NaN}"#,
        r#"{"path":"z"} and more"#,
        r#"{"path":"z"}{"path":"y""#,
        "{'path':'z'}",
        r#"["path"]"#,
        "\"path\"",
        "",
    ] {
        assert_eq!(value(text), None, "{text}");
    }
}
