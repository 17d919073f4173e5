//! Hats: the phases of a task, each with a prompt of its own.

/// How to keep a scratchpad. Every hat's prompt ends with it.
pub const SCRATCHPAD_PROMPT: &str = include_str!("../hats/scratchpad.md");

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
    /// Its name: letters, digits, `-` and `_`, so that it can stand in a signal.
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

    /// What the model is told when it puts the hat on.
    #[must_use]
    pub fn prompt(&self) -> String {
        format!("{}\n\n{}", self.text, SCRATCHPAD_PROMPT.trim_end())
    }

    /// Whether a name can stand in a signal.
    pub(crate) fn can_be(name: &str) -> bool {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        !name.is_empty() && name.chars().all(plain)
    }
}

/// Every built-in hat.
#[must_use]
pub fn builtin_hats() -> Vec<Hat> {
    BUILTIN.iter().map(|(name, text)| Hat::new(name, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Hat, SCRATCHPAD_PROMPT, builtin_hats};

    // S0-15
    #[test]
    fn every_hat_ends_with_how_to_keep_a_scratchpad() {
        let own = Hat::new("own", "Do it.\n");
        for hat in builtin_hats().into_iter().chain([own]) {
            let prompt = hat.prompt();
            assert!(prompt.ends_with(SCRATCHPAD_PROMPT.trim_end()), "{}", hat.name);
            assert_eq!(prompt.matches("## Maintaining Your Scratchpad").count(), 1, "{}", hat.name);
        }
    }

    // S0-15
    #[test]
    fn the_template_has_its_five_sections_in_order_and_its_last_sentence() {
        let headings: Vec<&str> = SCRATCHPAD_PROMPT
            .lines()
            .filter_map(|line| line.strip_prefix("SCRATCHPAD:").unwrap_or(line).strip_prefix("## "))
            .collect();
        let sections = ["Current Understanding", "Current Plan", "Key Decisions", "Blockers", "Last Action"];
        assert_eq!(headings.split_first(), Some((&"Maintaining Your Scratchpad", sections.as_slice())));
        assert!(
            SCRATCHPAD_PROMPT
                .trim_end()
                .ends_with("\n\nKeep it concise but complete enough to resume with only this information.")
        );
        assert_eq!(SCRATCHPAD_PROMPT.matches("\nSCRATCHPAD:## Current Understanding\n").count(), 1);
    }
}
