//! Arguments of the right value in the wrong JSON type, which small models often write.

use serde_json::{Map, Value};

/// Arguments in the types that the schema wants, where a value has none of them:
///
/// - A text that is the JSON of such a value is taken for that: `"5"` for a number, `"[\"a\"]"` for a list.
/// - A number without a fraction is an integer, as JSON Schema has it: `2.0`.
/// - A blank text is `null` where that is allowed, and left out where the argument is optional.
///
/// A value that has a wanted type, or that has no such meaning, is unchanged.
#[must_use]
pub fn fit_arguments(arguments: &Value, schema: &Value) -> Value {
    Fit { whole: schema }.fitted(arguments, schema)
}

/// Maximum depth of schemas in schemas that are about one value: one may refer to itself.
const MAX_DEPTH: usize = 8;

/// Fits values to parts of a schema.
#[derive(Clone, Copy)]
struct Fit<'s> {
    whole: &'s Value,
}

impl<'s> Fit<'s> {
    fn fitted(self, value: &Value, schema: &'s Value) -> Value {
        let schema = self.branch(schema, value);
        match value {
            Value::String(text) if !self.accepts(schema, value) => {
                let meant = if text.trim().is_empty() {
                    Some(Value::Null)
                } else {
                    serde_json::from_str(text.trim()).ok()
                };
                let meant = meant.map(|meant| self.fitted(&meant, schema));
                meant.filter(|meant| self.accepts(schema, meant)).unwrap_or_else(|| value.clone())
            }
            Value::Number(_) if !self.accepts(schema, value) => {
                let whole = whole_number(value).filter(|whole| self.accepts(schema, whole));
                whole.unwrap_or_else(|| value.clone())
            }
            Value::Array(items) => {
                let of = schema.get("items").unwrap_or(&Value::Null);
                items.iter().map(|item| self.fitted(item, of)).collect()
            }
            Value::Object(fields) => Value::Object(self.fields(fields, schema)),
            other => other.clone(),
        }
    }

    fn fields(self, fields: &Map<String, Value>, schema: &'s Value) -> Map<String, Value> {
        let listed = |list: &str, name: &str| match schema.get(list) {
            Some(Value::Array(names)) => names.iter().any(|one| one.as_str() == Some(name)),
            _ => false,
        };
        let of = |name: &str| schema.get("properties").and_then(|all| all.get(name)).unwrap_or(&Value::Null);
        let field = |(name, value): (&String, &Value)| {
            let fitted = self.fitted(value, of(name));
            let is_blank = fitted.as_str().is_some_and(|text| text.trim().is_empty());
            let is_left_out = is_blank && !listed("required", name) && !self.accepts(of(name), &fitted);
            (!is_left_out).then(|| (name.clone(), fitted))
        };
        fields.iter().filter_map(field).collect()
    }

    /// The part of a schema that is about this value: what it refers to, and of several schemas the one that accepts the value. If
    /// more do, none of them says what is in it.
    fn branch(self, schema: &'s Value, value: &Value) -> &'s Value {
        let schema = self.target(schema);
        let mut found = branches(schema).filter(|branch| self.accepts(branch, value));
        match (found.next(), found.next()) {
            (Some(one), None) => self.target(one),
            _ => schema,
        }
    }

    /// What a schema refers to, or the schema.
    fn target(self, schema: &'s Value) -> &'s Value {
        let path = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
        path.and_then(|path| self.whole.pointer(path)).unwrap_or(schema)
    }

    /// Returns true if the schema names the type of the value, or no type.
    fn accepts(self, schema: &'s Value, value: &Value) -> bool {
        self.accepts_within(MAX_DEPTH, schema, value)
    }

    fn accepts_within(self, depth: usize, schema: &'s Value, value: &Value) -> bool {
        let schema = self.target(schema);
        let is_named = |kind: &Value| kind.as_str().is_some_and(|kind| type_names(value).contains(&kind));
        let mut branches = branches(schema).peekable();
        match (schema.get("type"), schema.get("enum")) {
            (Some(Value::Array(kinds)), _) => kinds.iter().any(is_named),
            (Some(kind), _) => is_named(kind),
            (None, Some(Value::Array(values))) => values.contains(value),
            (None, _) if depth == 0 || branches.peek().is_none() => true,
            (None, _) => branches.any(|branch| self.accepts_within(depth - 1, branch, value)),
        }
    }
}

/// The schemas of which one is to hold.
fn branches(schema: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["anyOf", "oneOf"].into_iter().filter_map(|word| schema.get(word)?.as_array());
    lists.flatten()
}

fn type_names(value: &Value) -> &'static [&'static str] {
    match value {
        Value::Null => &["null"],
        Value::Bool(_) => &["boolean"],
        Value::Number(number) if number.is_f64() => &["number"],
        Value::Number(_) => &["integer", "number"],
        Value::String(_) => &["string"],
        Value::Array(_) => &["array"],
        Value::Object(_) => &["object"],
    }
}

/// A number without a fraction as an integer, if it is exactly that one.
fn whole_number(value: &Value) -> Option<Value> {
    /// From here on not every integer is a float.
    const MOST: f64 = 9_007_199_254_740_992.0;
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < MOST)?;
    Some(Value::from(number as i64))
}

#[cfg(test)]
mod tests;
