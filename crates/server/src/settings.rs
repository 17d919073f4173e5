//! The settings of context management.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use serde_json::{Value, json};

use crate::answer::{Answer, Failure, Given, body, check_fields};
use crate::caller::Caller;
use crate::inspector::{Preference, preferences, set_preference};
use crate::page::Page;

/// The settings with their values and origins.
pub(crate) async fn list(page: Page) -> Answer {
    page.answer("preferences", &preferences()?, |one| json!(one))
}

/// Sets one of them in the user's file, and gives its effective value.
pub(crate) async fn set(
    caller: Caller,
    key: Result<Path<String>, PathRejection>,
    given: Given,
) -> Answer<Preference> {
    if !caller.scope.is_all() {
        return Err(caller.refusal("a setting is one for all folders"));
    }
    let unknown = || Failure::missing("there is no such setting; /api/preferences lists them");
    let Ok(Path(key)) = key else { return Err(unknown()) };
    let all = preferences()?;
    if !all.iter().any(|one| one.key == key) {
        return Err(unknown());
    }
    let given = body(given)?;
    check_fields(&given, &["value"])?;
    let value = match given.get("value") {
        Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(other @ (Value::Number(_) | Value::Bool(_))) => Some(other.to_string()),
        _ => return Err(Failure::input("`value` is missing; it is a text, a number, true, false or null")),
    };
    set_preference(&key, value.as_deref())?;
    let now = preferences()?.into_iter().find(|one| one.key == key);
    Ok(Json(now.ok_or_else(unknown)?))
}
