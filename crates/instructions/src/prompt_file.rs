//! A prompt that the user sends by a name: the file of a slash command.

use throughline_text::headline;

use crate::front_matter::{body_of, flow_list, optional};

/// Maximum characters of a description or of arguments.
const MAX_CHARS: usize = 100;

/// What the file of a slash command has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptFile {
    /// The key `description`.
    pub description: Option<String>,
    /// The key `argument-hint`: what may be written behind the command.
    pub arguments: Option<String>,
    /// The prompt, without front matter.
    pub text: String,
}

impl PromptFile {
    /// Reads the text of a file. Without front matter all of it is the prompt; other keys have no effect.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let Some(body) = body_of(text) else {
            return Self { description: None, arguments: None, text: text.to_owned() };
        };
        let word = |key| flow_list(text, key).or_else(|| optional(text, key).ok().flatten());
        let line = |text: String| headline(&text, MAX_CHARS);
        Self {
            description: word("description").map(line),
            arguments: word("argument-hint").map(line),
            text: body.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
