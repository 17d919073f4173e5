//! Tests of schema rewriting.

use serde_json::{Value, json};

use super::{MergedSchema, cleaned};

fn check(before: Value, after: &Value) {
    let Value::Object(map) = before else { panic!("an object") };
    let once = cleaned(map);
    assert_eq!(once, *after);
    let Value::Object(again) = once else { panic!("an object") };
    assert_eq!(cleaned(again), *after, "taking it again must change nothing");
}

#[test]
fn the_top_level_is_always_an_object() {
    let empty = json!({"type": "object", "properties": {}});
    check(json!({}), &empty);
    check(json!({"type": "string"}), &empty);
    check(json!({"type": ["object", "null"], "properties": null, "required": "x"}), &empty);
    check(json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}), &empty);
}

#[test]
fn references_keep_their_targets() {
    let schema = json!({
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/node"}},
        "required": ["node"],
        "$defs": {"node": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/node"}]}},
        "additionalProperties": false
    });
    check(schema.clone(), &schema);
}

#[test]
fn branches_at_the_top_level_are_merged() {
    check(
        json!({
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "oneOf": [{"properties": {"b": {"type": "integer"}}, "required": ["b"]}, {"required": ["a"]}, true],
            "allOf": [{"properties": {"a": {"type": "null"}, "c": {}}, "required": ["c", 7]}],
            "not": {}
        }),
        &json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {}},
            "required": ["c"]
        }),
    );
}

#[test]
fn references_at_the_top_level_are_followed_and_a_circle_ends() {
    let a =
        json!({"properties": {"x": {"type": "string"}}, "required": ["x"], "allOf": [{"$ref": "#/$defs/B"}]});
    let b =
        json!({"properties": {"y": {}}, "anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#"}, {"$ref": "else"}]});
    let defs = json!({"A": a, "B": b});
    let after = json!({
        "type": "object",
        "properties": {"y": {}, "x": {"type": "string"}},
        "required": ["x"],
        "$defs": defs
    });
    check(json!({"$ref": "#/$defs/A", "$defs": defs}), &after);
    check(json!({"allOf": [{"$ref": "#/$defs/A"}], "$defs": defs}), &after);
}

#[test]
fn repeated_references_take_no_extra_time() {
    let branches: Vec<Value> = (0..20_000).map(|_| json!({"$ref": "#"})).collect();
    let chain: serde_json::Map<String, Value> = (0..20_000)
        .map(|i| (format!("d{i}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", i + 1)}]})))
        .collect();
    let mut chain = chain;
    let names: Vec<String> = (0..20_000).map(|i| format!("n{i}")).collect();
    chain.insert("d20000".to_owned(), json!({"required": names}));
    let Value::Object(schema) = json!({
        "anyOf": branches,
        "oneOf": branches,
        "allOf": [{"$ref": "#/$defs/d0"}],
        "required": names,
        "$defs": chain
    }) else {
        panic!("an object")
    };
    let mut merged = MergedSchema::onto(schema.clone(), &Value::Null);
    let whole = Value::Object(schema);
    merged.whole = &whole;
    merged.merge(&whole, true);
    // Each of the 80,002 places is taken once for each way in which it holds.
    assert!(merged.merged.len() < 2 * 85_000, "{}", merged.merged.len());
    assert_eq!(merged.required.len(), 20_000);
}

#[test]
fn invisible_characters_are_removed_from_texts_and_not_from_values() {
    let hidden = "find\u{e0041}\u{202e} it";
    check(
        json!({
            "type": "object",
            "properties": {"description": {"type": "string", "description": hidden, "default": hidden}}
        }),
        &json!({
            "type": "object",
            "properties": {"description": {"type": "string", "description": "find it", "default": hidden}}
        }),
    );
}
