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

/// The figure of a note that every request has at the end of its system prompt: `shown`, that of the previous request, until
/// `percent` is five points above it or below it. Each change makes the whole conversation behind the note cold.
#[must_use]
pub fn standing_percent(shown: Option<u64>, percent: u64) -> u64 {
    const STEP: u64 = 5;

    let current = |shown: &u64| (*shown..shown.saturating_add(STEP)).contains(&percent);
    shown.filter(current).unwrap_or(percent)
}

#[cfg(test)]
mod tests;
