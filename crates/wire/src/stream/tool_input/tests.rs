//! Whole numbers that do not fit 64 bits.

use serde_json::{Value, json};
use throughline_conversation::ToolCall;

use super::each;

#[test]
fn arguments_with_a_whole_number_that_would_be_rounded_stay_the_text_of_the_model() {
    let long = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    for number in [long, "18446744073709551617", "-9223372036854775809"] {
        let text = format!(r#"{{"to": [{{"n": {number}}}]}}"#);
        assert_eq!(each(&Value::String(text.clone())), [ToolCall::malformed_input(&text)]);
        let object: Value = serde_json::from_str(&text).unwrap_or_default();
        let [refused] = &each(&object)[..] else { panic!("{object}") };
        assert!(refused.get("invalid_json").is_some(), "{refused}");
    }
    for number in
        ["18446744073709551615", "-9223372036854775808", "0.1234567890123456", "6.02214076e23", "1e22"]
    {
        let object: Value = serde_json::from_str(&format!(r#"{{"n": {number}}}"#)).unwrap_or_default();
        assert_eq!(each(&object), std::slice::from_ref(&object));
        assert_ne!(object, json!(null));
    }
}
