//! The form of the texts in a list.

/// Checks a text in the list of a key.
///
/// # Errors
/// The key cannot hold it; the text says what would be right.
pub(crate) fn check_text(key: &str, text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err("the list holds an empty text; leave it out".to_owned());
    }
    match key {
        "model.fallback" => check_fallback(text),
        "tools.env" if !is_variable(text) => {
            Err(format!("{text:?} is no name of a variable; write for example \"NAME\" or \"START*\""))
        }
        _ => Ok(()),
    }
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
