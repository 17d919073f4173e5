//! Schemas as servers write them, in a form that every provider takes.

use serde_json::{Map, Value, json};
use throughline_conversation::sanitized;

/// Words that no provider takes at the top of a tool's schema.
const COMBINED: [&str; 3] = ["anyOf", "oneOf", "allOf"];

/// The schema with what providers ask for, and without what they refuse.
///
/// - The top is an object schema with `properties`.
/// - `$schema` goes: it means nothing to a model. `$ref`, `$defs` and `$id` stay as they are.
/// - `anyOf`, `oneOf`, `allOf`, `not`, `if`, `enum` and `const` at the top go, and the properties that their branches
///   name are offered side by side. That allows more than the server does, which judges the arguments itself.
/// - `required` names strings only.
/// - Descriptions lose characters that a person cannot see.
pub(crate) fn cleaned(schema: Map<String, Value>) -> Value {
    let mut schema = schema;
    schema.remove("$schema");
    for word in COMBINED {
        let Some(branches) = schema.remove(word) else { continue };
        let branches = branches.as_array().cloned().unwrap_or_default();
        for branch in branches {
            take_in(&mut schema, branch, word == "allOf");
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

/// Adds what a branch says about properties.
fn take_in(schema: &mut Map<String, Value>, branch: Value, all: bool) {
    let Value::Object(mut branch) = branch else { return };
    if let Some(Value::Object(more)) = branch.remove("properties") {
        let properties = schema.entry("properties").or_insert_with(|| json!({}));
        if let Value::Object(properties) = properties {
            for (name, value) in more {
                properties.entry(name).or_insert(value);
            }
        }
    }
    if let (true, Some(Value::Array(more))) = (all, branch.remove("required"))
        && let Value::Array(required) = schema.entry("required").or_insert_with(|| json!([]))
    {
        for name in more {
            if !required.contains(&name) {
                required.push(name);
            }
        }
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

    fn check(before: Value, after: Value) {
        let Value::Object(map) = before else { panic!("an object") };
        let once = cleaned(map);
        assert_eq!(once, after);
        let Value::Object(again) = once else { panic!("an object") };
        assert_eq!(cleaned(again), after, "taking it again must change nothing");
    }

    #[test]
    fn the_top_is_always_an_object() {
        let empty = json!({"type": "object", "properties": {}});
        check(json!({}), empty.clone());
        check(json!({"type": "string"}), empty.clone());
        check(json!({"type": ["object", "null"], "properties": null, "required": "x"}), empty.clone());
        check(json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}), empty);
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
        check(schema.clone(), schema);
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
            json!({
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {}},
                "required": ["c"]
            }),
        );
    }

    #[test]
    fn texts_lose_what_nobody_sees_and_values_keep_it() {
        let hidden = "find\u{e0041}\u{202e} it";
        check(
            json!({
                "type": "object",
                "properties": {"description": {"type": "string", "description": hidden, "default": hidden}}
            }),
            json!({
                "type": "object",
                "properties": {"description": {"type": "string", "description": "find it", "default": hidden}}
            }),
        );
    }
}
