//! Turns a JSON Schema of any draft into one that every provider accepts.

mod argument_names;
mod keyword;
mod pattern;
mod references;
mod top_level;
mod walk;

use serde_json::{Map, Value, json};

pub use argument_names::ArgumentNames;
use references::References;
use top_level::merged;
use walk::Walk;

/// A schema of arguments in the form that providers accept, and the names that were changed for it.
///
/// - The top level is an object schema with `properties`, without `anyOf`, `oneOf`, `allOf`, `not`, `if`, `enum` and `const`: the
///   properties of their branches are merged. That allows more than the tool does, which validates the arguments itself.
/// - It is valid by draft 2020-12, whatever draft it was written for. What has another spelling there is rewritten, what has
///   none or is malformed is removed. A `pattern` that not every dialect reads becomes a part of the description.
/// - References point to `$defs`. One without a target is removed.
/// - Names of arguments that providers reject are replaced, at every depth. [`ArgumentNames::restore`] maps a call back.
/// - Invisible characters are removed from descriptions.
///
/// A schema that has this form already is unchanged.
#[derive(Debug, Clone, PartialEq)]
pub struct PortableSchema {
    /// The schema.
    pub schema: Value,
    /// The arguments with other names.
    pub names: ArgumentNames,
}

impl PortableSchema {
    /// The portable form of a schema.
    #[must_use]
    pub fn of(schema: &Map<String, Value>) -> Self {
        let whole = Value::Object(schema.clone());
        let references = References::new(&whole);
        let top = merged(schema.clone(), &references);
        let mut walk = Walk::new(&references);
        let mut cleaned = walk.object(&top, 0);
        let mut out = Map::new();
        out.insert("type".to_owned(), json!("object"));
        cleaned.remove("type");
        out.insert("properties".to_owned(), cleaned.remove("properties").unwrap_or_else(|| json!({})));
        if let Some(required) = cleaned.remove("required") {
            out.insert("required".to_owned(), required);
        }
        out.extend(cleaned);
        let (defs, names) = walk.finish();
        if !defs.is_empty() {
            out.insert("$defs".to_owned(), Value::Object(defs));
        }
        Self { schema: Value::Object(out), names }
    }
}

#[cfg(test)]
mod tests;
