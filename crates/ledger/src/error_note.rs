//! An error that was met, and whether it went away.

use serde::{Deserialize, Serialize};

use crate::lines::bounded;

/// An error that was met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorNote {
    /// The tool that failed.
    pub tool: String,
    /// The call's subject: a path, a command, another argument. Bounded; empty without a subject.
    pub about: String,
    /// The line with the failure.
    pub text: String,
    /// Whether a later retry succeeded.
    pub resolved: bool,
}

const RESOLVED: &str = " (resolved)";

/// The stored subject of an error: one bounded line without quotes.
pub(crate) fn subject(about: &str) -> String {
    const MAX_BYTES: usize = 100;
    bounded(about, MAX_BYTES).replace('"', "'")
}

impl ErrorNote {
    pub(crate) fn line(&self) -> String {
        let Self { tool, about, text, resolved } = self;
        let end = if *resolved { RESOLVED } else { "" };
        match about.is_empty() {
            true => format!("{tool}: {text}{end}"),
            false => format!("{tool} \"{about}\": {text}{end}"),
        }
    }

    /// Reads such a line.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (line, resolved) = match line.strip_suffix(RESOLVED) {
            Some(line) => (line, true),
            None => (line, false),
        };
        let with_subject = || {
            let (tool, rest) = line.split_once(" \"")?;
            let (about, text) = rest.split_once("\": ")?;
            (!tool.contains(": ")).then_some((tool, about, text))
        };
        let without = || line.split_once(": ").map(|(tool, text)| (tool, "", text));
        let (tool, about, text) = with_subject().or_else(without)?;
        Some(Self { tool: tool.to_owned(), about: about.to_owned(), text: text.to_owned(), resolved })
    }
}
