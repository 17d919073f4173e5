//! The form of the texts in a list.

use crate::key::keys;
use crate::kind::Value;

/// Checks each text of a list by what its key holds.
///
/// # Errors
/// What is wrong with the first text that the key cannot hold, and what would be right.
pub(crate) fn check(key: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::List(texts) => texts.iter().try_for_each(|text| check_text(key, text)),
        _ => Ok(()),
    }
}

fn check_text(key: &str, text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err("the list holds an empty text; leave it out".to_owned());
    }
    if key == keys::FALLBACK.name() {
        return check_fallback(text);
    }
    if key == keys::ENV.name() && !is_variable(text) {
        return Err(format!("{text:?} is no name of a variable; write for example \"NAME\" or \"START*\""));
    }
    Ok(())
}

/// Checks the form of a fallback, for a setting and for an option.
///
/// # Errors
/// It names no provider, or no model.
pub fn check_fallback(text: &str) -> Result<(), String> {
    match text.split_once('/') {
        Some((provider, model)) if !provider.trim().is_empty() && !model.trim().is_empty() => Ok(()),
        _ => Err(format!("{text:?} names no provider; write PROVIDER/MODEL, for example openai/gpt-5")),
    }
}

/// A name, or the start of names with `*` behind it.
fn is_variable(text: &str) -> bool {
    let name = text.strip_suffix('*').unwrap_or(text);
    let fits = |letter: char| !letter.is_whitespace() && !letter.is_control() && !matches!(letter, '=' | '*');
    name.chars().all(fits)
}
