//! Merges the branches of a schema at its top level, where providers reject them.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::references::{REFERRING, References};

/// Keywords that combine branches.
const COMBINED: [&str; 4] = ["anyOf", "oneOf", "allOf", "extends"];
/// Other keywords that providers reject at the top level.
const REJECTED: [&str; 7] = ["not", "if", "then", "else", "enum", "const", "disallow"];

/// The top level with the properties of its branches and of the target of its reference, without those.
pub(super) fn merged(schema: Map<String, Value>, references: &References<'_>) -> Map<String, Value> {
    let mut merged = MergedSchema::onto(schema, references);
    merged.merge(references.whole, true);
    let mut schema = merged.schema;
    for word in COMBINED.iter().chain(&REJECTED).chain(&REFERRING) {
        schema.remove(*word);
    }
    schema
}

/// A schema, and the branches that were merged into it.
pub(super) struct MergedSchema<'r, 'a> {
    schema: Map<String, Value>,
    references: &'r References<'a>,
    /// The names in `required`.
    pub(super) required: HashSet<String>,
    /// Branches that were merged. Each is merged once, so circular references end and repeated ones take no extra time.
    pub(super) merged: HashSet<(*const Value, bool)>,
}

/// The remaining work for a branch.
enum MergeStep<'a> {
    /// First the targets of its references and its branches,
    Enter(&'a Value, bool),
    /// then its own properties.
    Own(&'a Value, bool),
}

impl<'r, 'a> MergedSchema<'r, 'a> {
    pub(super) fn onto(schema: Map<String, Value>, references: &'r References<'a>) -> Self {
        let names = schema.get("required").and_then(Value::as_array);
        let names = names.into_iter().flatten().filter_map(Value::as_str);
        let required = names.map(str::to_owned).collect();
        let mut schema = schema;
        if schema.get("properties").is_some_and(|properties| !properties.is_object()) {
            schema.remove("properties");
        }
        if schema.get("required").is_some_and(|required| !required.is_array()) {
            schema.remove("required");
        }
        Self { schema, references, required, merged: HashSet::new() }
    }

    /// Merges the properties of a branch, and its `required` if all branches apply.
    pub(super) fn merge(&mut self, branch: &'a Value, all: bool) {
        let mut steps = vec![MergeStep::Enter(branch, all)];
        while let Some(step) = steps.pop() {
            match step {
                MergeStep::Enter(branch, all) if self.merged.insert((std::ptr::from_ref(branch), all)) => {
                    steps.push(MergeStep::Own(branch, all));
                    for word in COMBINED.into_iter().rev() {
                        let applies = all && matches!(word, "allOf" | "extends");
                        let inner = branches(branch, word).iter().rev();
                        steps.extend(inner.map(|inner| MergeStep::Enter(inner, applies)));
                    }
                    let target = self.references.target(branch);
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

/// The branches of a word. Draft 3 has `extends` with one schema.
fn branches<'v>(schema: &'v Value, word: &str) -> &'v [Value] {
    match schema.get(word) {
        Some(Value::Array(branches)) => branches,
        Some(one) if one.is_object() => std::slice::from_ref(one),
        _ => &[],
    }
}
