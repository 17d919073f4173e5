//! How a summary is asked for, and what an answer must have.

/// A way to ask for a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Its name, as it stands in the log.
    pub name: &'static str,
    /// What to ask of a model. `{{budget}}` stands for the tokens that the answer may have.
    pub prompt: &'static str,
    /// Headings without which an answer is no such summary. A model that goes on with the work instead, or answers
    /// the last question, is found out by them.
    pub headings: &'static [&'static str],
}

impl Template {
    /// The engine's own.
    pub const THROUGHLINE: Self = Self {
        name: "throughline",
        prompt: include_str!("../texts/summarize.md"),
        headings: &["Now", "Done"],
    };

    /// What to ask of a model, in full.
    #[must_use]
    pub fn prompt(&self, budget: u64) -> String {
        self.prompt.replace("{{budget}}", &budget.to_string())
    }

    /// The first required heading that a text does not have. How deep a heading is makes no difference, nor whether
    /// it is bold instead.
    #[must_use]
    pub fn missing_heading(&self, text: &str) -> Option<&'static str> {
        let headings: Vec<String> = text.lines().filter_map(heading).collect();
        self.headings.iter().copied().find(|name| {
            let name = name.to_lowercase();
            !headings.iter().any(|heading| heading.starts_with(&name))
        })
    }
}

/// What a line says when it is a heading, in lower case.
fn heading(line: &str) -> Option<String> {
    let line = line.trim();
    let marked =
        line.starts_with('#') || line.starts_with("**") || line.starts_with(|one: char| one.is_ascii_digit());
    let name = line
        .trim_start_matches(|one: char| matches!(one, '#' | '*' | '.' | ')' | ' ') || one.is_ascii_digit());
    (marked && !name.is_empty()).then(|| name.to_lowercase())
}
