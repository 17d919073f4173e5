//! Schemas of tools in a form that every provider takes.

use serde_json::{Value, json};

/// The schema with what providers insist on: that it says it is one of an object, and which properties it has.
pub(crate) fn wire_schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(fields) = &mut schema {
        for (name, value) in [("type", json!("object")), ("properties", json!({}))] {
            if !fields.contains_key(name) {
                fields.insert(name.to_owned(), value);
            }
        }
    }
    schema
}
