//! Hooks that the user of Codex gives it on the command line.

use std::collections::BTreeMap;
use std::ffi::OsString;

use toml_edit::{DocumentMut, Value};

use crate::failure::{Result, WatchError};

/// The hooks of `-c` options, which ours are added to: an override of Codex replaces an earlier one with its key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CodexUserHooks {
    /// The items of each event, as TOML.
    pub(crate) events: BTreeMap<String, Vec<String>>,
    /// The items of `hooks.state`, as TOML: hooks that the user trusts.
    pub(crate) state: Vec<String>,
}

impl CodexUserHooks {
    /// Takes the overrides of hooks out of the arguments. Returns the other arguments, too.
    ///
    /// # Errors
    /// An override is not TOML, or an event has no list.
    pub(crate) fn take(arguments: &[OsString]) -> Result<(Self, Vec<OsString>)> {
        let (mut hooks, mut rest) = (Self::default(), Vec::new());
        let mut left = arguments.iter().peekable();
        while let Some(argument) = left.next() {
            let text = argument.to_str().unwrap_or_default();
            let joined = ["--config=", "-c="].iter().find_map(|option| text.strip_prefix(option));
            let joined = joined.or_else(|| text.strip_prefix("-c").filter(|value| !value.is_empty()));
            let apart =
                left.peek().and_then(|value| value.to_str()).filter(|_| matches!(text, "-c" | "--config"));
            if text == "--" {
                rest.push(argument.clone());
                rest.extend(left.by_ref().cloned());
            } else if let Some(value) = joined.filter(|value| sets_hooks(value)) {
                hooks.read(value)?;
            } else if let Some(value) = apart.filter(|value| sets_hooks(value)) {
                hooks.read(value)?;
                left.next();
            } else {
                rest.push(argument.clone());
            }
        }
        Ok((hooks, rest))
    }

    /// Reads an override: `hooks.EVENT=[…]`, `hooks.state={…}` or `hooks={…}`.
    fn read(&mut self, value: &str) -> Result<()> {
        let wrong = |why: &str| WatchError::usage(format!("-c {value} of codex: {why}"));
        let document: DocumentMut =
            value.parse().map_err(|error: toml_edit::TomlError| wrong(error.message()))?;
        let table = document.get("hooks").and_then(|hooks| hooks.as_table_like());
        let table = table.ok_or_else(|| wrong("hooks must be a table"))?;
        for (key, item) in table.iter() {
            if key == "state" {
                let state = item.as_table_like().ok_or_else(|| wrong("hooks.state must be a table"))?;
                self.state.extend(state.iter().filter_map(|(key, item)| {
                    Some(format!("{}={}", Value::from(key), plain(item.as_value()?)))
                }));
            } else {
                let items = item.as_array().ok_or_else(|| wrong(&format!("hooks.{key} must be a list")))?;
                self.events.entry(key.to_owned()).or_default().extend(items.iter().map(plain));
            }
        }
        Ok(())
    }
}

/// A value without the space and comments around it.
fn plain(value: &Value) -> String {
    value.to_string().trim().to_owned()
}

fn sets_hooks(value: &str) -> bool {
    let rest = value.trim_start().strip_prefix("hooks").map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with(['.', '=']))
}

#[cfg(test)]
mod tests;
