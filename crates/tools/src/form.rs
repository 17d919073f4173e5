//! A form that the server of a tool wants filled in: a flat list of fields, from a JSON Schema.
//!
//! The schemas are those of the protocol's `requestedSchema`: an object whose properties are texts, numbers, booleans, or
//! choices.

mod answer;
mod parse;

use serde_json::{Map, Value};

/// A form.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// The schema as the server wrote it.
    pub schema: Value,
    /// The fields, in the server's order.
    pub fields: Vec<FormField>,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct FormField {
    /// Its name in the answer.
    pub name: String,
    /// Its name for the user. May contain anything, like every text of a server.
    pub title: String,
    /// What it is for; may be empty.
    pub description: String,
    /// The form cannot be sent without it.
    pub required: bool,
    /// Its initial value.
    pub default: Option<Value>,
    /// Its values.
    pub kind: FieldKind,
}

/// The values of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// A text.
    Text {
        /// `email`, `uri`, `date` or `date-time`; others are not checked.
        format: Option<String>,
        /// Minimum length in characters.
        min: Option<u64>,
        /// Maximum length in characters.
        max: Option<u64>,
    },
    /// A number.
    Number {
        /// Only whole numbers.
        whole: bool,
        /// The least value.
        min: Option<f64>,
        /// The greatest value.
        max: Option<f64>,
    },
    /// True or false.
    YesNo,
    /// One of these.
    OneOf(Vec<FormChoice>),
    /// Several of these.
    AnyOf {
        /// These.
        choices: Vec<FormChoice>,
        /// Minimum number.
        min: Option<u64>,
        /// Maximum number.
        max: Option<u64>,
    },
}

/// A value to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormChoice {
    /// The value.
    pub value: String,
    /// Its name for the user.
    pub title: String,
}

impl Form {
    /// Checks values that came from elsewhere, and returns those that the form has.
    ///
    /// # Errors
    /// What is wrong with the first wrong or missing value, for the user.
    pub fn check(&self, values: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let mut checked = Map::new();
        for field in &self.fields {
            match values.get(&field.name) {
                Some(value) if !value.is_null() => {
                    field.check(value).map_err(|why| format!("{}: {why}", field.title))?;
                    checked.insert(field.name.clone(), value.clone());
                }
                _ if field.required => return Err(format!("{}: a value is required", field.title)),
                _ => {}
            }
        }
        Ok(checked)
    }
}

#[cfg(test)]
mod tests;
