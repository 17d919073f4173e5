//! The note that tells the model how full its context is.

const TEMPLATE: &str = include_str!("context_note.md");

/// The note for a context of which `percent` of the effective window is used.
///
/// It changes with the figure, so it belongs into a [`crate::PromptSection::status`] section.
#[must_use]
pub fn context_note(percent: u64) -> String {
    TEMPLATE.trim_end().replace("{percent}", &percent.to_string())
}

/// The note for a full context. No note for a smaller figure is longer.
#[must_use]
pub fn longest_context_note() -> String {
    context_note(100)
}

#[cfg(test)]
mod tests;
