//! How a summary is asked for, and what an answer must have.

/// A way to ask for a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// The name in the log.
    pub name: &'static str,
    /// The prompt. `{{budget}}` is replaced by the tokens that the answer may have.
    pub prompt: &'static str,
    /// Headings that an answer must have. They detect a model that continues the work or answers the last question
    /// instead.
    pub headings: &'static [&'static str],
}

impl Template {
    /// The template of [`RollingSummary`](crate::RollingSummary).
    pub const ROLLING: Self = Self {
        name: "throughline",
        prompt: include_str!("../texts/summarize.md"),
        headings: &["Now", "Done"],
    };

    /// The prompt with its budget.
    #[must_use]
    pub fn prompt(&self, budget: u64) -> String {
        self.prompt.replace("{{budget}}", &budget.to_string())
    }

    /// The first required heading that a text lacks. Headings count at any level, and in bold.
    #[must_use]
    pub fn missing_heading(&self, text: &str) -> Option<&'static str> {
        let headings: Vec<String> = text.lines().filter_map(heading).collect();
        self.headings.iter().copied().find(|name| {
            let name = name.to_lowercase();
            !headings.iter().any(|heading| heading.starts_with(&name))
        })
    }
}

/// The text of a heading, in lower case; `None` for other lines.
fn heading(line: &str) -> Option<String> {
    let line = line.trim();
    let marked =
        line.starts_with('#') || line.starts_with("**") || line.starts_with(|one: char| one.is_ascii_digit());
    let name = line
        .trim_start_matches(|one: char| matches!(one, '#' | '*' | '.' | ')' | ' ') || one.is_ascii_digit());
    (marked && !name.is_empty()).then(|| name.to_lowercase())
}

#[cfg(test)]
mod tests;
