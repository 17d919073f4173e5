//! The title of a session.

use throughline_text::{headline, plain};

/// Maximum characters of a title.
const MAX_CHARACTERS: usize = 120;

/// The title that a text gives a session: its first line, cut to 120 characters.
#[must_use]
pub fn title_of(text: &str) -> String {
    headline(text, MAX_CHARACTERS)
}

/// Returns true if a title may have been made of a text. An empty title was made of nothing.
#[must_use]
pub fn is_title_of(title: &str, text: &str) -> bool {
    let stem = title.trim_end_matches('…');
    !stem.is_empty() && plain(text).contains(stem)
}

#[cfg(test)]
mod tests;
