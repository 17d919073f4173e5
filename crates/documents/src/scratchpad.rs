//! The scratchpad: a document in which the model keeps its plan, and what can be read from it.

mod error;
mod manage;
mod read;
mod sections;
mod tool;

use throughline_text::sanitized;

pub use error::{ScratchpadError, TooLarge};
pub use manage::{Managed, manage};
pub use read::ChecklistItem;
pub(crate) use read::{blockers, decisions, plan};
pub use tool::manage_scratchpad_tool;

use crate::markdown::heading;

/// Maximum bytes of a scratchpad, when nothing else is set.
pub const SCRATCHPAD_CAP: usize = 16 * 1024;

/// The layout of a scratchpad, to begin with.
pub const SCRATCHPAD_TEMPLATE: &str = include_str!("scratchpad/template.md");

/// A scratchpad, and how large it may become. Every change gives a new text; the old one stays.
///
/// Texts lose invisible characters and the space around them. A text over the cap is rejected, not truncated: a
/// plan without its end misleads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scratchpad {
    text: String,
    cap: usize,
}

impl Scratchpad {
    /// Restores a stored scratchpad. An old one may be over the cap; then it can only become smaller.
    #[must_use]
    pub fn restored(text: &str, cap: usize) -> Self {
        Self { text: cleaned(text), cap }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Maximum bytes that it may have.
    #[must_use]
    pub fn cap(&self) -> usize {
        self.cap
    }

    /// Another text in place of this one. Empty text empties it.
    ///
    /// # Errors
    /// [`TooLarge`] when the text is over the cap.
    pub fn replace(&self, text: &str) -> Result<Self, TooLarge> {
        let text = cleaned(text);
        let fits = text.len() <= self.cap || text.len() < self.text.len();
        if fits { Ok(Self { text, cap: self.cap }) } else { Err(TooLarge::scratchpad(text.len(), self.cap)) }
    }

    /// This text and another behind it, from a new line on; a heading gets an empty line in front.
    ///
    /// # Errors
    /// [`TooLarge`] when both together are over the cap.
    pub fn append(&self, text: &str) -> Result<Self, TooLarge> {
        let text = cleaned(text);
        if self.text.is_empty() || text.is_empty() {
            return self.replace(if text.is_empty() { &self.text } else { &text });
        }
        let gap = if heading(text.lines().next().unwrap_or_default()).is_some() { "\n\n" } else { "\n" };
        self.replace(&format!("{}{gap}{text}", self.text))
    }

    /// What stands under a heading. The heading is given with or without its `#`, in any case of letters.
    #[must_use]
    pub fn section(&self, heading: &str) -> Option<&str> {
        sections::find(&self.text, heading).map(|section| section.body(&self.text))
    }

    /// Replaces the text under a heading; a missing heading is added at the end. Empty text removes the heading
    /// too.
    ///
    /// # Errors
    /// [`ScratchpadError::Input`] when the heading is empty or no line, [`ScratchpadError::TooLarge`] when the document
    /// would be over the cap.
    pub fn set_section(&self, heading: &str, body: &str) -> Result<Self, ScratchpadError> {
        let text = sections::set(&self.text, heading, &cleaned(body))?;
        Ok(self.replace(&text)?)
    }
}

/// A document's text without invisible characters and without space around it.
pub(crate) fn cleaned(text: &str) -> String {
    sanitized(text).trim().to_owned()
}

#[cfg(test)]
mod tests;
