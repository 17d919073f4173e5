//! Schemas as servers write them, in a form that every provider takes.

use serde_json::{Map, Value, json};
use throughline_conversation::sanitized;

/// Words that no provider takes at the top of a tool's schema.
const COMBINED: [&str; 3] = ["anyOf", "oneOf", "allOf"];

/// How far references are followed. They may go in a circle.
const DEPTH: usize = 8;

/// The schema with what providers ask for, and without what they refuse.
///
/// - The top is an object schema with `properties`.
/// - `$schema` goes: it means nothing to a model. `$ref`, `$defs` and `$id` stay as they are, but for a `$ref` at the
///   top, whose target takes its place.
/// - `anyOf`, `oneOf`, `allOf`, `not`, `if`, `enum` and `const` at the top go, and the properties that their branches
///   name are offered side by side. That allows more than the server does, which judges the arguments itself.
/// - `required` names strings only.
/// - Descriptions lose characters that a person cannot see.
pub(crate) fn cleaned(schema: Map<String, Value>) -> Value {
    let whole = Value::Object(schema.clone());
    let mut schema = schema;
    schema.remove("$schema");
    if let Some(target) = schema.remove("$ref") {
        take_in(&mut schema, &json!({"$ref": target}), true, &whole, DEPTH);
    }
    for word in COMBINED {
        let branches = schema.remove(word);
        for branch in branches.as_ref().and_then(Value::as_array).into_iter().flatten() {
            take_in(&mut schema, branch, word == "allOf", &whole, DEPTH);
        }
    }
    for word in ["not", "if", "then", "else", "enum", "const"] {
        schema.remove(word);
    }
    let mut out = Map::new();
    out.insert("type".to_owned(), json!("object"));
    let properties = match schema.remove("properties") {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    };
    out.insert("properties".to_owned(), Value::Object(properties));
    schema.remove("type");
    if let Some(Value::Array(required)) = schema.remove("required") {
        let names: Vec<Value> = required.into_iter().filter(Value::is_string).collect();
        if !names.is_empty() {
            out.insert("required".to_owned(), Value::Array(names));
        }
    }
    out.extend(schema);
    let mut out = Value::Object(out);
    sanitize(&mut out);
    out
}

/// Adds what a branch says about properties, and also what it must have where all branches hold.
fn take_in(schema: &mut Map<String, Value>, branch: &Value, all: bool, whole: &Value, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let target =
        branch.get("$ref").and_then(Value::as_str).and_then(|to| whole.pointer(to.strip_prefix('#')?));
    if let Some(target) = target {
        take_in(schema, target, all, whole, depth);
    }
    for word in COMBINED {
        for inner in branch.get(word).and_then(Value::as_array).into_iter().flatten() {
            take_in(schema, inner, all && word == "allOf", whole, depth);
        }
    }
    if let Some(more) = branch.get("properties").and_then(Value::as_object)
        && let Value::Object(properties) = schema.entry("properties").or_insert_with(|| json!({}))
    {
        for (name, value) in more {
            properties.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    if all
        && let Some(more) = branch.get("required").and_then(Value::as_array)
        && let Value::Array(required) = schema.entry("required").or_insert_with(|| json!([]))
    {
        let new: Vec<Value> = more.iter().filter(|name| !required.contains(name)).cloned().collect();
        required.extend(new);
    }
}

/// Cleans the texts for the model. Values that arguments may have are left as they are.
fn sanitize(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match (name.as_str(), value) {
                    ("default" | "examples" | "enum" | "const", _) => {}
                    ("description" | "title", Value::String(text)) => {
                        let clean = sanitized(text).into_owned();
                        *text = clean;
                    }
                    (_, value) => sanitize(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(sanitize),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::cleaned;

    fn check(before: Value, after: &Value) {
        let Value::Object(map) = before else { panic!("an object") };
        let once = cleaned(map);
        assert_eq!(once, *after);
        let Value::Object(again) = once else { panic!("an object") };
        assert_eq!(cleaned(again), *after, "taking it again must change nothing");
    }

    #[test]
    fn the_top_is_always_an_object() {
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
    fn choices_at_the_top_become_properties_side_by_side() {
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
    fn references_at_the_top_are_followed_and_a_circle_ends() {
        let a = json!({"properties": {"x": {"type": "string"}}, "required": ["x"], "allOf": [{"$ref": "#/$defs/B"}]});
        let b = json!({"properties": {"y": {}}, "anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#"}, {"$ref": "else"}]});
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
    fn texts_lose_what_nobody_sees_and_values_keep_it() {
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
}
