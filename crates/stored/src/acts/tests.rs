//! What is said of a body that is no change.

use serde_json::{Value, json};

use super::SessionAct;

#[test]
fn a_body_that_is_no_change_is_refused_with_what_is_wrong() {
    let check = |body: Value, why: &str| {
        let error = SessionAct::read(&body).unwrap_err().to_string();
        assert!(error.contains(why), "{body}: {error}");
    };
    check(json!({}), "`change` is missing; it is one of undo, redo");
    check(json!({ "change": "dorp" }), "there is no change \"dorp\"; `drop` is near");
    check(json!({ "change": "drop" }), "`turn` is missing; it must be a whole number");
    check(
        json!({ "change": "drop", "turn": "1" }),
        "`turn` is \"1\"; it must be a whole number up to 18446744073709551615",
    );
    check(json!({ "change": "drop", "turn": -1 }), "`turn` is -1; it must be");
    check(json!({ "change": "drop", "turn": 1.5 }), "`turn` is 1.5; it must be");
    check(
        json!({ "change": "window", "turns": 4_294_967_296_u64 }),
        "`turns` is 4294967296; it must be at most 4294967295",
    );
}
