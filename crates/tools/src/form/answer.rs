//! Reads and checks the value of a field.

use serde_json::{Number, Value};
use throughline_text::counted;

use super::{FieldKind, FormChoice, FormField};

/// What is wrong with an empty field that has to have a value.
const REQUIRED: &str = "a value is required";

impl FormField {
    /// Reads what a user typed. `None`: the field is left out.
    ///
    /// # Errors
    /// What is wrong, for the user.
    pub fn read(&self, typed: &str) -> Result<Option<Value>, String> {
        let typed = typed.trim();
        if typed.is_empty() {
            return if self.required { Err(REQUIRED.to_owned()) } else { Ok(None) };
        }
        let value = match &self.kind {
            FieldKind::Text { .. } => Value::from(typed),
            FieldKind::Number { whole, .. } => number(typed, *whole)?,
            FieldKind::YesNo => match typed.to_lowercase().as_str() {
                "y" | "yes" | "true" => Value::from(true),
                "n" | "no" | "false" => Value::from(false),
                _ => return Err("it must be yes or no".to_owned()),
            },
            FieldKind::OneOf(choices) => Value::from(chosen(choices, typed)?),
            FieldKind::AnyOf { choices, .. } => {
                let names = typed.split(',').map(str::trim).filter(|name| !name.is_empty());
                Value::from(names.map(|name| chosen(choices, name)).collect::<Result<Vec<_>, _>>()?)
            }
        };
        self.check(&value)?;
        Ok(Some(value))
    }

    /// Checks a value.
    ///
    /// # Errors
    /// What is wrong, for the user.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        match &self.kind {
            FieldKind::Text { format, min, max } => {
                let text = value.as_str().ok_or("it must be a text")?;
                if self.required && text.is_empty() {
                    return Err(REQUIRED.to_owned());
                }
                within_count(text.chars().count(), *min, *max, "character")?;
                format.as_deref().map_or(Ok(()), |format| formatted(text, format))
            }
            FieldKind::Number { whole, min, max } => {
                let number = value.as_f64().ok_or("it must be a number")?;
                if *whole && number.fract() != 0.0 {
                    return Err("it must be a whole number".to_owned());
                }
                within(number, *min, *max, |limit| limit.to_string())
            }
            FieldKind::YesNo => value.as_bool().map(drop).ok_or_else(|| "it must be yes or no".to_owned()),
            FieldKind::OneOf(choices) => is_choice(choices, value),
            FieldKind::AnyOf { choices, min, max } => {
                let values = value.as_array().ok_or("it must be a list")?;
                values.iter().try_for_each(|value| is_choice(choices, value))?;
                within_count(values.len(), *min, *max, "choice")
            }
        }
    }

    /// A value of the field as the user reads and types it.
    #[must_use]
    pub fn shown(&self, value: &Value) -> String {
        match (&self.kind, value) {
            (_, Value::Bool(yes)) => if *yes { "yes" } else { "no" }.to_owned(),
            (FieldKind::OneOf(choices), Value::String(value)) => title(choices, value),
            (FieldKind::AnyOf { choices, .. }, Value::Array(values)) => {
                let titles = values.iter().filter_map(Value::as_str).map(|value| title(choices, value));
                titles.collect::<Vec<_>>().join(", ")
            }
            (_, Value::String(text)) => text.clone(),
            (_, other) => other.to_string(),
        }
    }
}

fn number(typed: &str, whole: bool) -> Result<Value, String> {
    if let Ok(number) = typed.parse::<i64>() {
        return Ok(Value::from(number));
    }
    let number = typed.parse::<f64>().ok().filter(|_| !whole).and_then(Number::from_f64);
    let kind = if whole { "a whole number" } else { "a number" };
    number.map(Value::Number).ok_or_else(|| format!("it must be {kind}"))
}

/// The value of a choice by its number from 1, its title or itself.
fn chosen(choices: &[FormChoice], typed: &str) -> Result<String, String> {
    let exact = choices.iter().find(|choice| choice.value == typed);
    let named = || choices.iter().find(|choice| choice.title.eq_ignore_ascii_case(typed));
    let counted = || choices.get(typed.parse::<usize>().ok()?.checked_sub(1)?);
    let found = exact.or_else(named).or_else(counted);
    found.map(|choice| choice.value.clone()).ok_or_else(|| format!("{typed:?} is not one of the choices"))
}

fn is_choice(choices: &[FormChoice], value: &Value) -> Result<(), String> {
    let known = value.as_str().is_some_and(|value| choices.iter().any(|choice| choice.value == value));
    if known { Ok(()) } else { Err(format!("{value} is not one of the choices")) }
}

fn title(choices: &[FormChoice], value: &str) -> String {
    let choice = choices.iter().find(|choice| choice.value == value);
    choice.map_or_else(|| value.to_owned(), |choice| choice.title.clone())
}

fn within_count(count: usize, min: Option<u64>, max: Option<u64>, thing: &str) -> Result<(), String> {
    within(count as u64, min, max, |limit| counted(limit, thing))
}

fn within<T: PartialOrd + Copy>(
    size: T,
    min: Option<T>,
    max: Option<T>,
    shown: impl Fn(T) -> String,
) -> Result<(), String> {
    match (min, max) {
        (Some(min), _) if size < min => Err(format!("it must be at least {}", shown(min))),
        (_, Some(max)) if size > max => Err(format!("it must be at most {}", shown(max))),
        _ => Ok(()),
    }
}

/// Checks the parts of a format that a slip of the keys breaks; the server checks the rest.
fn formatted(text: &str, format: &str) -> Result<(), String> {
    let fits = match format {
        "email" => text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty()),
        "uri" => text.split_once(':').is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty()),
        "date" => is_date(text),
        "date-time" => {
            text.split_once(['T', 't', ' ']).is_some_and(|(date, time)| is_date(date) && time.contains(':'))
        }
        _ => true,
    };
    let name = match format {
        "email" => "an address such as name@example.org",
        "uri" => "an address such as https://example.org",
        "date" => "a date such as 2026-11-29",
        _ => "a date and time such as 2026-11-29T18:30:00Z",
    };
    if fits { Ok(()) } else { Err(format!("it must be {name}")) }
}

/// Returns true for `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, digits: usize| {
        let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().unwrap_or(0))
    };
    let [year, month, day] = parts.as_slice() else { return false };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
}
