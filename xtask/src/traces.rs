//! Where recordings are found: sessions of agents, answers of providers. They are large and not part of a clone, so they
//! are an optional input.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// An input that a suite can do without on a clean clone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OptionalInput {
    /// Recorded sessions of real agents.
    Traces,
    /// Recorded answers of real providers.
    Wire,
}

impl OptionalInput {
    /// The variable that names the folder; also handed to suites and benches, so they need no default of their own.
    pub(crate) const fn variable(self) -> &'static str {
        match self {
            Self::Traces => "THROUGHLINE_TRACES",
            Self::Wire => "THROUGHLINE_WIRE",
        }
    }

    /// Looked at when the variable is not set, seen from the workspace root.
    const fn default_folder(self) -> &'static str {
        match self {
            Self::Traces => "../shared/traces",
            Self::Wire => "../shared/wire",
        }
    }

    /// What it holds.
    pub(crate) const fn content(self) -> &'static str {
        match self {
            Self::Traces => "recorded sessions",
            Self::Wire => "recorded answers",
        }
    }

    /// Why a run without it may pass with `CI=true`.
    pub(crate) const fn why_optional(self) -> &'static str {
        match self {
            Self::Traces => "a clone does not hold the recorded sessions",
            Self::Wire => "a clone does not hold the recorded answers",
        }
    }
}

/// The answer to "are the recordings here?".
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
pub(crate) fn locate(input: OptionalInput, root: &Path) -> Traces {
    locate_from(input, root, std::env::var_os(input.variable()).as_deref())
}

/// Looks in the folder that the value names, or in the default one when there is no value.
fn locate_from(input: OptionalInput, root: &Path, value: Option<&OsStr>) -> Traces {
    let value = value.filter(|value| !value.is_empty());
    let folder = match value {
        // A shell's user means the folder seen from where they stand.
        Some(value) => std::path::absolute(value).unwrap_or_else(|_| PathBuf::from(value)),
        None => root.join(input.default_folder()),
    };
    if folder.is_dir() {
        return Traces::Found(folder.canonicalize().unwrap_or(folder));
    }
    let variable = input.variable();
    let reason = match value {
        Some(_) => format!("{variable} names `{}`, which is not a folder", folder.display()),
        None => {
            let (content, folder) = (input.content(), input.default_folder());
            format!("no {content} in `{folder}`; name their folder in {variable}")
        }
    };
    Traces::Absent { reason, asked_for: value.is_some() }
}

#[cfg(test)]
mod tests;
