//! Where recorded sessions are found. They are large and not part of a clone, so they are an optional input.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The variable that names the folder; also handed to suites and benches, so they need no default of their own.
pub(crate) const VARIABLE: &str = "THROUGHLINE_TRACES";

/// Looked at when the variable is not set, seen from the workspace root.
const DEFAULT: &str = "../shared/traces";

/// An input that a suite can do without on a clean clone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OptionalInput {
    /// Recorded sessions of real agents.
    Traces,
}

/// The answer to "are the recorded sessions here?".
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Traces {
    /// In this folder.
    Found(PathBuf),
    /// Missing.
    Absent {
        /// What was looked for, and how to give it.
        reason: String,
        /// Whether the variable asked for them: then a skip is not harmless.
        asked_for: bool,
    },
}

/// Looks where the variable of this process says.
pub(crate) fn locate(root: &Path) -> Traces {
    locate_from(root, std::env::var_os(VARIABLE).as_deref())
}

/// Looks in the folder that the value names, or in the default one when there is no value.
fn locate_from(root: &Path, value: Option<&OsStr>) -> Traces {
    let value = value.filter(|value| !value.is_empty());
    let folder = match value {
        // A shell's user means the folder seen from where they stand.
        Some(value) => std::path::absolute(value).unwrap_or_else(|_| PathBuf::from(value)),
        None => root.join(DEFAULT),
    };
    if folder.is_dir() {
        return Traces::Found(folder.canonicalize().unwrap_or(folder));
    }
    let reason = match value {
        Some(_) => format!("{VARIABLE} names `{}`, which is not a folder", folder.display()),
        None => format!("no recorded sessions in `{DEFAULT}`; name their folder in {VARIABLE}"),
    };
    Traces::Absent { reason, asked_for: value.is_some() }
}

#[cfg(test)]
mod tests;
