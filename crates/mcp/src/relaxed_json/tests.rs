//! Comments and trailing commas.

use serde_json::{Value, json};

use super::plain_json;

#[test]
fn comments_and_trailing_commas_are_left_out_and_strings_are_not_touched() {
    let text = r#"{
        // one, "two"
        "a": "http://h/*x*/,]", /* three
        lines */ "b": [1, 2, /* four */ ], // five
        "c\"//": {"d": 1, },
    }"#;
    let read: Value = serde_json::from_str(&plain_json(text)).unwrap();
    assert_eq!(read, json!({"a": "http://h/*x*/,]", "b": [1, 2], "c\"//": {"d": 1}}));
}

#[test]
fn errors_name_the_place_in_the_file() {
    let error = serde_json::from_str::<Value>(&plain_json("{ // x\n  /* y */ \"a\": oops }")).unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 16));
    for text in ["", "{", "\"", "/*", "//", "/", "\"\\", "ä,]"] {
        assert!(serde_json::from_str::<Value>(&plain_json(text)).is_err(), "{text}");
    }
}
