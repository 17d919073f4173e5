//! The result of a command on a session.

use throughline_text::plain;

/// A result as text for a person, fit for a terminal, and as a value for a program.
#[derive(Debug)]
pub struct Answer {
    /// Text for a person.
    pub text: String,
    /// The same for a program.
    pub json: serde_json::Value,
}

impl Answer {
    /// Lines for a person. A program gets them as `lines`.
    pub fn lines(lines: &[String]) -> Self {
        Self { text: plain(&lines.join("\n")), json: serde_json::json!({ "lines": lines }) }
    }
}
