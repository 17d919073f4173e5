//! The settings of one run of Claude Code: those that its user gives it on the command line, with our hooks added.

use std::ffi::{OsStr, OsString};

use serde_json::{Map, Value};
use throughline_stored::Attempt as _;

use crate::failure::{Result, WatchError};

/// The option of Claude Code that takes a file or a JSON object.
pub(crate) const OPTION: &str = "--settings";

/// Settings of Claude Code, by their keys.
pub(crate) type SettingsMap = Map<String, Value>;

/// Takes the user's settings out of the arguments. Of several the last counts, as for Claude Code. Returns the settings, if there
/// are any, and the other arguments. The file may be a pipe, which can be read once.
///
/// # Errors
/// The user's settings cannot be read, or are no settings.
pub(crate) fn taken(arguments: &[OsString]) -> Result<(Option<SettingsMap>, Vec<OsString>)> {
    let (mut given, mut rest) = (None, Vec::new());
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        let text = argument.to_str().unwrap_or_default();
        if text == "--" {
            rest.push(argument.clone());
            rest.extend(left.by_ref().cloned());
        } else if text == OPTION {
            let value = left.next().ok_or_else(|| WatchError::usage("--settings of claude needs a value"))?;
            given = Some(value.clone());
        } else if let Some(value) = text.strip_prefix(OPTION).and_then(|text| text.strip_prefix('=')) {
            given = Some(value.into());
        } else {
            rest.push(argument.clone());
        }
    }
    Ok((given.map(|given| read(&given)).transpose()?, rest))
}

/// The settings of a value: a JSON object, or the path of a file with one.
fn read(given: &OsStr) -> Result<SettingsMap> {
    let wrong =
        |why: &str| WatchError::usage(format!("--settings of claude, {}: {why}", given.to_string_lossy()));
    let text = match given.to_str().filter(|text| text.trim_start().starts_with('{')) {
        Some(text) => text.to_owned(),
        None => std::fs::read_to_string(given)
            .attempt(|| format!("could not read --settings of claude, {}", given.to_string_lossy()))?,
    };
    settings_in(&text).map_err(|why| wrong(&why))
}

/// The settings in a text, which may begin with the mark of an editor. Otherwise what is wrong with it.
pub(crate) fn settings_in(text: &str) -> std::result::Result<SettingsMap, String> {
    match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(Value::Object(settings)) => Ok(settings),
        Ok(_) => Err("it must be a JSON object".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The user's settings with ours: lists are joined, the user's items first; nothing of the user's is replaced.
///
/// # Errors
/// A value of the user has another type than ours.
pub(crate) fn merged(mut user: SettingsMap, own: Value) -> Result<Value> {
    let Value::Object(own) = own else { return Ok(Value::Object(user)) };
    for (key, value) in own {
        match (user.remove(&key), value) {
            (None, value) => _ = user.insert(key, value),
            (Some(Value::Object(known)), value @ Value::Object(_)) => {
                user.insert(key, merged(known, value)?);
            }
            (Some(Value::Array(mut known)), Value::Array(more)) => {
                known.extend(more);
                user.insert(key, Value::Array(known));
            }
            (Some(_), _) => {
                let why = format!("--settings of claude: `{key}` has a wrong type");
                return Err(WatchError::usage(why));
            }
        }
    }
    Ok(Value::Object(user))
}

#[cfg(test)]
mod tests;
