//! Schemas without the keywords that not every server reads.

use serde_json::Value;
use throughline_conversation::ToolDefinition;

/// Keywords that narrow a value and that a model can do without.
const KEYWORDS: &[&str] = &[
    "$schema",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "multipleOf",
    "pattern",
    "patternProperties",
    "propertyNames",
    "uniqueItems",
];

/// The tool with a plain schema.
pub(super) fn of(tool: &ToolDefinition) -> ToolDefinition {
    let mut tool = tool.clone();
    simplify(&mut tool.input_schema);
    tool
}

/// Returns true if the schema of a tool is plain.
pub(super) fn is(tool: &ToolDefinition) -> bool {
    of(tool).input_schema == tool.input_schema
}

fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.retain(|name, _| !KEYWORDS.contains(&name.as_str()));
            for (name, value) in fields.iter_mut() {
                match (name.as_str(), value) {
                    // Names of properties are the tool's own, whatever they are called.
                    ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                        named.values_mut().for_each(simplify);
                    }
                    // Values of the tool's own.
                    ("enum" | "const" | "default" | "examples", _) => {}
                    (_, value) => simplify(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}
