//! A question to the memory.

use crate::terms::query_terms;

/// Maximum number of terms of a question. A whole page pasted as a question is answered by its first words.
const MAX_TERMS: usize = 48;

/// How many occurrences in the text one among the tags counts for: a tag is chosen to say what the memo is about.
pub const TAG_WEIGHT: f64 = 4.0;

/// Which kinds to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinds {
    /// Memos and memory files.
    All,
    /// Memos only.
    Memos,
    /// Memory files only.
    Files,
}

/// A parsed search query. Any text can be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    terms: Vec<String>,
    kinds: Kinds,
}

impl Query {
    /// Parses a text as a query. Words of nearly every text do not count; without others the
    /// query is empty and finds nothing.
    #[must_use]
    pub fn of(text: &str, kinds: Kinds) -> Self {
        Self { terms: query_terms(text, MAX_TERMS), kinds }
    }

    /// Its terms: letters and digits only, each once, up to 48.
    #[must_use]
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Which kinds to search.
    #[must_use]
    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// Returns true if it can find nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}
