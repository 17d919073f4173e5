//! Choices with and without descriptions.

use super::*;

#[test]
fn described_words_become_one_list_and_other_alternatives_stay() {
    let objects = json!({ "oneOf": [{ "type": "object" }, { "const": "a", "type": "string" }] });
    let mut schema = json!({
        "properties": {
            "then": { "description": "What is done.", "oneOf": [
                { "const": "calls", "description": "It runs them.", "type": "string" },
                { "enum": ["request", "finished"], "type": "string" },
            ] },
            "other": objects,
        },
    });
    plain_choices(&mut schema);
    let then = json!({
        "type": "string", "enum": ["calls", "request", "finished"], "description": "What is done.\n\n- `calls`: It runs them.",
    });
    assert_eq!(schema, json!({ "properties": { "then": then, "other": objects } }));
}
