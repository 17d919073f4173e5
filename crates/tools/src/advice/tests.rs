//! What a user reads of a refusal.

use serde_json::json;

use super::{without_advice, wrong_arguments};

#[test]
fn each_refusal_has_a_part_for_the_user() {
    let shown = [
        include_str!("../repetition.md"),
        include_str!("../repetition/cycle.md"),
        include_str!("../arguments.md"),
        "The user declined this call of shell; it was not run. Do not try to reach the same in another way: ask.",
        "2 failed",
    ]
    .map(without_advice);
    assert_eq!(
        shown,
        [
            "{name} was not run: it has just been called {count} times in a row with exactly these arguments",
            "{name} was not run: the last {count} requests of this turn only repeated earlier calls or failed, and this call was \
             made before.",
            "{name} was not run: your answer reached its output limit, and that cut off the arguments of this call.",
            "The user declined this call of shell; it was not run.",
            "2 failed"
        ]
    );
}

#[test]
fn the_schema_is_for_the_model_alone() {
    let output = wrong_arguments("shell", &"missing field `command`", &json!({"type": "object"})).to_text();
    assert!(output.ends_with(r#"follow this schema: {"type":"object"}"#), "{output}");
    assert_eq!(without_advice(&output), "The arguments of shell are wrong: missing field `command`.");
}
