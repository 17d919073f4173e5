//! Arguments of the right value in the wrong JSON type, which small models often write.

use serde_json::Value;

/// The value in the type that the schema wants, where it is a text that is the JSON of such a value: `"5"` for a number, `"[\"a\"]"` for a
/// list.
pub(super) fn fitted(value: &Value, schema: &Value) -> Value {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(text.trim()) {
            Ok(meant) if !has_type(schema, value) && has_type(schema, &meant) => fitted(&meant, schema),
            _ => value.clone(),
        },
        Value::Array(items) => {
            let of = schema.get("items").unwrap_or(&Value::Null);
            items.iter().map(|item| fitted(item, of)).collect()
        }
        Value::Object(fields) => {
            let of = |name: &String| schema.get("properties").and_then(|all| all.get(name));
            let field = |(name, value): (&String, &Value)| {
                (name.clone(), fitted(value, of(name).unwrap_or(&Value::Null)))
            };
            Value::Object(fields.iter().map(field).collect())
        }
        other => other.clone(),
    }
}

/// Returns true if the schema names the type of the value, or no type.
fn has_type(schema: &Value, value: &Value) -> bool {
    let names: &[&str] = match value {
        Value::Null => &["null"],
        Value::Bool(_) => &["boolean"],
        Value::Number(number) if number.is_f64() => &["number"],
        Value::Number(_) => &["integer", "number"],
        Value::String(_) => &["string"],
        Value::Array(_) => &["array"],
        Value::Object(_) => &["object"],
    };
    let is_named = |kind: &Value| kind.as_str().is_some_and(|kind| names.contains(&kind));
    match schema.get("type") {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().any(is_named),
        Some(kind) => is_named(kind),
    }
}
