//! Rewrites the schemas of servers to a form that every provider accepts.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use throughline_text::sanitized;

/// Keywords that providers reject at the top level of a schema.
const COMBINED: [&str; 3] = ["anyOf", "oneOf", "allOf"];

/// Adds what providers require, and removes what they reject.
///
/// - The top level is an object schema with `properties`.
/// - `$schema` is removed. `$ref`, `$defs` and `$id` are unchanged, except a `$ref` at the top level, which is replaced by its
///   target.
/// - `anyOf`, `oneOf`, `allOf`, `not`, `if`, `enum` and `const` at the top level are removed, and the properties of their
///   branches are merged. That allows more than the server does, which validates the arguments itself.
/// - `required` contains strings only.
/// - Invisible characters are removed from descriptions.
pub(crate) fn cleaned(schema: Map<String, Value>) -> Value {
    let whole = Value::Object(schema.clone());
    let mut schema = schema;
    schema.remove("$schema");
    let mut merged = MergedSchema::onto(schema, &whole);
    let referred = json!({"$ref": whole.get("$ref").unwrap_or(&Value::Null)});
    if merged.schema.remove("$ref").is_some() {
        merged.merge(&referred, true);
    }
    for word in COMBINED {
        merged.schema.remove(word);
        for branch in branches(&whole, word) {
            merged.merge(branch, word == "allOf");
        }
    }
    let mut schema = merged.schema;
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

/// A schema, and the branches that were merged into it.
struct MergedSchema<'a> {
    schema: Map<String, Value>,
    whole: &'a Value,
    /// The names in `required`.
    required: HashSet<String>,
    /// Branches that were merged. Each is merged once, so circular references end and repeated ones take no extra time.
    merged: HashSet<(*const Value, bool)>,
}

/// The remaining work for a branch.
enum MergeStep<'a> {
    /// First the targets of its references and its branches,
    Enter(&'a Value, bool),
    /// then its own properties.
    Own(&'a Value, bool),
}

impl<'a> MergedSchema<'a> {
    fn onto(schema: Map<String, Value>, whole: &'a Value) -> Self {
        let names = schema.get("required").and_then(Value::as_array);
        let names = names.into_iter().flatten().filter_map(Value::as_str);
        let required = names.map(str::to_owned).collect();
        Self { schema, whole, required, merged: HashSet::new() }
    }

    /// Merges the properties of a branch, and its `required` if all branches apply.
    fn merge<'b>(&mut self, branch: &'b Value, all: bool)
    where
        'a: 'b,
    {
        let mut steps = vec![MergeStep::Enter(branch, all)];
        while let Some(step) = steps.pop() {
            match step {
                MergeStep::Enter(branch, all) if self.merged.insert((std::ptr::from_ref(branch), all)) => {
                    steps.push(MergeStep::Own(branch, all));
                    for word in COMBINED.into_iter().rev() {
                        let inner = branches(branch, word).iter().rev();
                        steps.extend(inner.map(|inner| MergeStep::Enter(inner, all && word == "allOf")));
                    }
                    let target = branch.get("$ref").and_then(Value::as_str);
                    let target = target.and_then(|to| self.whole.pointer(to.strip_prefix('#')?));
                    steps.extend(target.map(|target| MergeStep::Enter(target, all)));
                }
                MergeStep::Enter(..) => {}
                MergeStep::Own(branch, all) => self.merge_own(branch, all),
            }
        }
    }

    fn merge_own(&mut self, branch: &Value, all: bool) {
        if let Some(more) = branch.get("properties").and_then(Value::as_object)
            && let Value::Object(properties) = self.schema.entry("properties").or_insert_with(|| json!({}))
        {
            for (name, value) in more {
                properties.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        if all
            && let Some(more) = branch.get("required").and_then(Value::as_array)
            && let Value::Array(required) = self.schema.entry("required").or_insert_with(|| json!([]))
        {
            let names = more.iter().filter_map(Value::as_str);
            let new = names.filter(|name| self.required.insert((*name).to_owned()));
            required.extend(new.map(Value::from));
        }
    }
}

fn branches<'v>(schema: &'v Value, word: &str) -> &'v [Value] {
    schema.get(word).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Cleans the texts for the model. Values of arguments are unchanged.
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
mod tests;
