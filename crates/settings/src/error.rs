//! Settings that cannot be used.

use std::fmt;

use crate::origin::Origin;

/// A setting that cannot be used: where it stands, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    /// Where it was written.
    pub origin: Origin,
    /// The key, verbatim; empty where the line has none.
    pub key: String,
    /// What is wrong, and what would be right.
    pub why: String,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, key, why } = self;
        match origin {
            Origin::File { file, line, .. } if key.is_empty() => {
                write!(out, "the settings in {file}, line {line}: {why}")
            }
            Origin::File { file, line, .. } => {
                write!(out, "the settings in {file}, line {line}, `{key}`: {why}")
            }
            Origin::Variable(name) => write!(out, "the variable {name}: {why}"),
            Origin::Flag(name) => write!(out, "the option {name}: {why}"),
            Origin::Default => write!(out, "the setting `{key}`: {why}"),
        }
    }
}

impl std::error::Error for SettingsError {}
