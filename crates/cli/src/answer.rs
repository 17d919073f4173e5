//! The result of a command on a session.

use crate::terminal::plain;

/// A result as text for a person, fit for a terminal, and as a value for a program.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) json: serde_json::Value,
}

impl Answer {
    /// Lines for a person. A program gets them as `lines`.
    pub(crate) fn lines(lines: &[String]) -> Self {
        Self { text: plain(&lines.join("\n")), json: serde_json::json!({ "lines": lines }) }
    }
}
