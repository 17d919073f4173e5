//! What the program adds to a message of the user: texts in blocks of their own, behind the user's text.

use crate::message::{ContentBlock, Message};

/// The beginning of a file's text.
const FILE: &str = "Content of ";

/// The beginning of a command's text.
const COMMAND: &str = "The user ran a command:\n$ ";

/// The beginning of a hook's text.
const HOOK: &str = "<hook event=";

/// The beginning of a note about the mode of permissions.
const MODE: &str = "<mode name=";

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

/// What a hook says at an event, marked so that it is not taken for the user's words.
#[must_use]
pub fn hook_text(event: &str, text: &str) -> String {
    format!("{HOOK}\"{event}\">\n{text}\n</hook>")
}

/// A note about the mode that the session is in, marked so that it is not taken for the user's words.
#[must_use]
pub fn mode_note(mode: &str, text: &str) -> String {
    format!("{MODE}\"{mode}\">\n{}\n</mode>", text.trim_end())
}

impl Message {
    /// What the user wrote: all texts but those of attached files and commands, of hooks and about the mode. Empty for a message
    /// that is a hook's alone.
    #[must_use]
    pub fn request_text(&self) -> String {
        let begins = |text: &str, starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
        let first = self.texts().take(1).filter(|text| !begins(text, &[HOOK]));
        let more = self.texts().skip(1).filter(|text| !begins(text, &[FILE, COMMAND, HOOK, MODE]));
        first.chain(more).collect::<Vec<_>>().join("\n")
    }

    /// Returns true if the message is one with which a hook lets the model continue.
    #[must_use]
    pub fn is_of_hook(&self) -> bool {
        self.texts().next().is_some_and(|text| text.starts_with(HOOK))
    }
}

#[cfg(test)]
mod tests;
