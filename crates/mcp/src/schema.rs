//! Schemas as servers write them, in a form that every provider takes.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use throughline_text::sanitized;

/// Words that no provider takes at the top of a tool's schema.
const COMBINED: [&str; 3] = ["anyOf", "oneOf", "allOf"];

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
    let mut merged = Merged::onto(schema, &whole);
    let referred = json!({"$ref": whole.get("$ref").unwrap_or(&Value::Null)});
    if merged.schema.remove("$ref").is_some() {
        merged.take_in(&referred, true);
    }
    for word in COMBINED {
        merged.schema.remove(word);
        for branch in branches(&whole, word) {
            merged.take_in(branch, word == "allOf");
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

/// A schema, and the branches of the whole that were taken into it.
struct Merged<'a> {
    schema: Map<String, Value>,
    whole: &'a Value,
    /// What must be there already.
    required: HashSet<String>,
    /// Places that were taken: a second time they add nothing. So references may go in a circle, and what many of them
    /// name costs no more than once.
    taken: HashSet<(*const Value, bool)>,
}

/// What is left to do with a branch.
enum Step<'a> {
    /// First what it refers to and consists of,
    Enter(&'a Value, bool),
    /// then what it says itself.
    Own(&'a Value, bool),
}

impl<'a> Merged<'a> {
    fn onto(schema: Map<String, Value>, whole: &'a Value) -> Self {
        let names = schema.get("required").and_then(Value::as_array);
        let names = names.into_iter().flatten().filter_map(Value::as_str);
        let required = names.map(str::to_owned).collect();
        Self { schema, whole, required, taken: HashSet::new() }
    }

    /// Adds what a branch says about properties, and also what it must have where all branches hold.
    fn take_in<'b>(&mut self, branch: &'b Value, all: bool)
    where
        'a: 'b,
    {
        let mut steps = vec![Step::Enter(branch, all)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(branch, all) if self.taken.insert((std::ptr::from_ref(branch), all)) => {
                    steps.push(Step::Own(branch, all));
                    for word in COMBINED.into_iter().rev() {
                        let inner = branches(branch, word).iter().rev();
                        steps.extend(inner.map(|inner| Step::Enter(inner, all && word == "allOf")));
                    }
                    let target = branch.get("$ref").and_then(Value::as_str);
                    let target = target.and_then(|to| self.whole.pointer(to.strip_prefix('#')?));
                    steps.extend(target.map(|target| Step::Enter(target, all)));
                }
                Step::Enter(..) => {}
                Step::Own(branch, all) => self.own(branch, all),
            }
        }
    }

    fn own(&mut self, branch: &Value, all: bool) {
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
mod tests;
