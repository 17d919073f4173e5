//! How deep a text may nest.

use serde_json::Value;

use super::{DEEPEST, JsonError, check_nesting, parse};

fn nested(levels: usize) -> String {
    format!("{}1{}", "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn a_text_nests_up_to_a_limit() {
    for text in [nested(DEEPEST), format!("[{},{}]", nested(DEEPEST - 1), nested(DEEPEST - 1))] {
        check_nesting(text.as_bytes()).unwrap();
        assert_eq!(parse::<Value>(text.as_bytes()).unwrap().to_string(), text);
    }
    let deeper = nested(DEEPEST + 1);
    assert!(matches!(check_nesting(deeper.as_bytes()), Err(JsonError::TooDeep)));
    assert!(matches!(parse::<Value>(deeper.as_bytes()), Err(JsonError::TooDeep)));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(DEEPEST + 1), "}".repeat(DEEPEST + 1));
    assert!(matches!(check_nesting(objects.as_bytes()), Err(JsonError::TooDeep)));
}

#[test]
fn brackets_within_strings_do_not_count() {
    let brackets = "[{".repeat(DEEPEST);
    for text in [format!(r#""{brackets}""#), format!(r#""\"{brackets}""#), format!(r#"["\\","{brackets}"]"#)]
    {
        check_nesting(text.as_bytes()).unwrap();
    }
    // Behind the end of a string they count again.
    let behind = format!(r#"["\\",{}]"#, nested(DEEPEST));
    assert!(matches!(check_nesting(behind.as_bytes()), Err(JsonError::TooDeep)));
}

#[test]
fn a_text_holds_one_value_however_deep_it_is() {
    for text in ["[1] 2".to_owned(), format!("{} 2", nested(DEEPEST)), nested(DEEPEST).replace('1', "")] {
        let read = parse::<Value>(text.as_bytes());
        assert_eq!(read.is_ok(), !text.ends_with('2'), "{text}");
    }
}
