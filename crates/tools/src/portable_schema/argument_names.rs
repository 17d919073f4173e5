//! Names of arguments that providers reject, and what the model sees instead.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Longest name of an argument that providers accept.
const MAX_NAME: usize = 64;
/// Bytes of a replaced name that are of the original.
const ORIGINAL: usize = 48;

/// The original names of arguments, by the names that the model sees.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentNames(BTreeMap<String, String>);

impl ArgumentNames {
    /// Returns true if all arguments have their own names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The arguments of a call with their original names, at every depth.
    #[must_use]
    pub fn restore(&self, input: Value) -> Value {
        match input {
            _ if self.is_empty() => input,
            Value::Object(fields) => {
                let restored = fields
                    .into_iter()
                    .map(|(name, value)| (self.0.get(&name).cloned().unwrap_or(name), self.restore(value)));
                Value::Object(restored.collect())
            }
            Value::Array(items) => items.into_iter().map(|item| self.restore(item)).collect(),
            other => other,
        }
    }

    /// The name that the model sees: the same if providers accept it.
    pub(super) fn shown(&mut self, name: &str) -> String {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
        if (1..=MAX_NAME).contains(&name.len()) && name.chars().all(plain) {
            return name.to_owned();
        }
        let safe: String = name.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
        let safe = safe.trim_matches('_');
        let start = safe.get(..ORIGINAL).unwrap_or(safe);
        let shown = format!("{}{}{:08x}", start, if start.is_empty() { "arg_" } else { "_" }, digest(name));
        self.0.insert(shown.clone(), name.to_owned());
        shown
    }
}

/// FNV-1a: the same in every build, so that the same tool is described by the same bytes.
fn digest(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
