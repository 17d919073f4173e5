//! What the program adds to a message of the user: texts in blocks of their own, behind the user's text.

use crate::message::{ContentBlock, Message};

/// The beginning of a file's text.
const FILE: &str = "Content of ";

/// The beginning of a command's text.
const COMMAND: &str = "The user ran a command:\n$ ";

impl ContentBlock {
    /// A file that the user attached, with its content.
    #[must_use]
    pub fn attached_file(name: &str, content: &str) -> Self {
        Self::Text { text: format!("{FILE}{name}:\n{}", content.trim_end()) }
    }

    /// A command that the user ran, with its output.
    #[must_use]
    pub fn attached_command(command: &str, output: &str) -> Self {
        Self::Text { text: format!("{COMMAND}{command}\n{}", output.trim_end()) }
    }
}

impl Message {
    /// What the user wrote: all texts but those of attached files and commands.
    #[must_use]
    pub fn request_text(&self) -> String {
        let is_attached = |text: &str| [FILE, COMMAND].iter().any(|start| text.starts_with(start));
        let first = self.texts().take(1);
        let own: Vec<&str> = first.chain(self.texts().skip(1).filter(|text| !is_attached(text))).collect();
        own.join("\n")
    }
}

#[cfg(test)]
mod tests;
