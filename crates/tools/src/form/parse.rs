//! Reads a form from a schema.

use serde_json::Value;

use super::{FieldKind, Form, FormChoice, FormField};

impl Form {
    /// Reads a form.
    ///
    /// # Errors
    /// Which field cannot be filled in.
    pub fn parse(schema: &Value) -> Result<Self, String> {
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let required: Vec<&str> = texts(schema.get("required")).collect();
        let fields =
            properties.map(|(name, property)| field(name, property, required.contains(&name.as_str())));
        Ok(Self { schema: schema.clone(), fields: fields.collect::<Result<_, _>>()? })
    }
}

fn field(name: &str, property: &Value, required: bool) -> Result<FormField, String> {
    let text = |key: &str| property.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let title = text("title");
    Ok(FormField {
        name: name.to_owned(),
        title: if title.is_empty() { name.to_owned() } else { title },
        description: text("description"),
        required,
        default: property.get("default").filter(|value| !value.is_null()).cloned(),
        kind: kind(property).ok_or_else(|| format!("the field {name:?} has no type that a form can have"))?,
    })
}

fn kind(property: &Value) -> Option<FieldKind> {
    let count = |key: &str| property.get(key).and_then(Value::as_u64);
    let bound = |key: &str| property.get(key).and_then(Value::as_f64);
    match property.get("type").and_then(Value::as_str)? {
        "string" => Some(match choices(property) {
            Some(choices) => FieldKind::OneOf(choices),
            None => FieldKind::Text {
                format: property.get("format").and_then(Value::as_str).map(str::to_owned),
                min: count("minLength"),
                max: count("maxLength"),
            },
        }),
        kind @ ("number" | "integer") => {
            Some(FieldKind::Number { whole: kind == "integer", min: bound("minimum"), max: bound("maximum") })
        }
        "boolean" => Some(FieldKind::YesNo),
        "array" => {
            let choices = choices(property.get("items")?)?;
            Some(FieldKind::AnyOf { choices, min: count("minItems"), max: count("maxItems") })
        }
        _ => None,
    }
}

/// The choices of a schema: `oneOf` or `anyOf` with titles, or `enum`, whose titles may be in `enumNames`. `None`: it has none.
fn choices(schema: &Value) -> Option<Vec<FormChoice>> {
    let titled = ["oneOf", "anyOf"].iter().find_map(|key| schema.get(key).and_then(Value::as_array));
    let choices: Vec<FormChoice> = if let Some(titled) = titled {
        let choice = |one: &Value| {
            let value = one.get("const")?.as_str()?.to_owned();
            let title = one.get("title").and_then(Value::as_str).unwrap_or(&value).to_owned();
            Some(FormChoice { value, title })
        };
        titled.iter().filter_map(choice).collect()
    } else {
        let mut titles = texts(schema.get("enumNames"));
        let choice = |value: &str| {
            let title = titles.next().unwrap_or(value).to_owned();
            FormChoice { value: value.to_owned(), title }
        };
        texts(Some(schema.get("enum")?)).map(choice).collect()
    };
    (!choices.is_empty()).then_some(choices)
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
