//! What each keyword of a schema may hold.

use serde_json::{Map, Value, json};
use throughline_conversation::whole_number;
use throughline_text::sanitized;

/// What a keyword may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It has no place in a portable schema, or is rewritten together with others.
    Left,
    Schema,
    /// A schema, or a switch that stays one.
    SchemaOrSwitch,
    Schemas,
    /// Schemas by patterns of names, by names of arguments.
    ByPattern,
    ByName,
    Text,
    Count,
    Number,
    Switch,
    /// A list of at least one value.
    Values,
    /// Anything.
    Free,
}

pub(super) fn kind(word: &str) -> Kind {
    match word {
        "not" | "if" | "then" | "else" | "contains" | "propertyNames" | "contentSchema" => Kind::Schema,
        "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems" => Kind::SchemaOrSwitch,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Kind::Schemas,
        "patternProperties" => Kind::ByPattern,
        "dependentSchemas" => Kind::ByName,
        "title" | "description" | "format" | "contentEncoding" | "contentMediaType" => Kind::Text,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => Kind::Count,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Kind::Number,
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => Kind::Switch,
        "enum" | "examples" => Kind::Values,
        "properties" | "required" | "items" | "additionalItems" | "type" | "pattern" | "dependencies"
        | "dependentRequired" | "multipleOf" | "divisibleBy" | "extends" | "disallow" | "definitions"
        | "id" => Kind::Left,
        word if word.starts_with('$') => Kind::Left,
        _ => Kind::Free,
    }
}

/// The value of a keyword that holds no schema; `None` if it is not of its kind.
pub(super) fn plain_value(kind: Kind, value: &Value) -> Option<Value> {
    match (kind, value) {
        (Kind::Text, Value::String(text)) => Some(Value::from(sanitized(text).into_owned())),
        (Kind::Count, Value::Number(_)) => whole_number(value).map(Value::from),
        (Kind::Number, Value::Number(_)) | (Kind::Switch, Value::Bool(_)) | (Kind::Free, _) => {
            Some(value.clone())
        }
        (Kind::Values, Value::Array(values)) => (!values.is_empty()).then(|| value.clone()),
        _ => None,
    }
}

/// Up to draft 4 a switch next to a limit makes it exclusive.
pub(super) fn rewrite_limits(fields: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (limit, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if fields.get(exclusive) == Some(&Value::Bool(true))
            && let Some(number) = out.remove(limit)
        {
            out.insert(exclusive.to_owned(), number);
        }
    }
    let step = fields.get("multipleOf").or_else(|| fields.get("divisibleBy"));
    if let Some(step) = step.filter(|step| step.as_f64().is_some_and(|step| step > 0.0)) {
        out.insert("multipleOf".to_owned(), step.clone());
    }
}

/// The types of a schema; `None`: any.
pub(super) fn types(written: &Value) -> Option<Value> {
    match written {
        Value::String(name) => known_type(name).map(Value::from),
        Value::Array(several) => {
            let mut names: Vec<&str> = Vec::new();
            for one in several {
                let name = known_type(one.as_str()?)?;
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            match names.as_slice() {
                [] => None,
                _ => Some(json!(names)),
            }
        }
        _ => None,
    }
}

/// The type that is meant. Names of programming languages are understood.
fn known_type(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "str" | "text" => "string",
        "number" | "float" | "double" => "number",
        "integer" | "int" | "long" => "integer",
        "boolean" | "bool" => "boolean",
        "object" | "dict" | "map" => "object",
        "array" | "list" | "tuple" => "array",
        "null" | "none" => "null",
        _ => return None,
    })
}
