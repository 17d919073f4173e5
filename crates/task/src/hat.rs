//! Hats: the phases of a task, each with a prompt of its own.

/// How to keep a scratchpad. Every hat's prompt ends with it.
pub(crate) const SCRATCHPAD_PROMPT: &str = include_str!("../hats/scratchpad.md");

/// The hats that a file can name without describing them.
const BUILTIN: [(&str, &str); 5] = [
    ("planner", include_str!("../hats/planner.md")),
    ("explorer", include_str!("../hats/explorer.md")),
    ("builder", include_str!("../hats/builder.md")),
    ("debugger", include_str!("../hats/debugger.md")),
    ("reviewer", include_str!("../hats/reviewer.md")),
];

/// The hat of a file that names none.
pub(crate) const USUAL: &str = "builder";

/// A phase of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hat {
    /// Its name: letters, digits, `-` and `_`, so that a signal can name it.
    pub name: String,
    /// What it asks for, without the part about the scratchpad.
    text: String,
}

impl Hat {
    /// A hat of one's own.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.trim().to_owned() }
    }

    /// The built-in hat of this name.
    pub(crate) fn builtin(name: &str) -> Option<Self> {
        let (name, text) = BUILTIN.iter().find(|(builtin, _)| *builtin == name)?;
        Some(Self::new(name, text))
    }

    /// The prompt for the model when it puts the hat on.
    #[must_use]
    pub fn prompt(&self) -> String {
        format!("{}\n\n{}", self.text, SCRATCHPAD_PROMPT.trim_end())
    }

    /// Returns true if a signal can contain the name.
    pub(crate) fn can_be(name: &str) -> bool {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        !name.is_empty() && name.chars().all(plain)
    }
}

/// Every built-in hat.
#[must_use]
pub(crate) fn builtin_hats() -> Vec<Hat> {
    BUILTIN.iter().map(|(name, text)| Hat::new(name, text)).collect()
}

#[cfg(test)]
mod tests;
