//! A diff of limited size between two texts.

use std::time::Duration;

use similar::{Algorithm, TextDiff};
use throughline_text::cut_end;

/// Maximum bytes of a diff.
const MAX_DIFF: usize = 6 * 1024;

/// Texts without anything in common would take minutes; after this time the rest counts as replaced.
const TIME_LIMIT: Duration = Duration::from_millis(500);

/// The difference between two contents of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Diff {
    /// The whole unified diff.
    Whole(String),
    /// The beginning of the unified diff.
    Part(String),
    /// The earlier text is not stored.
    Unknown,
}

/// The lines in which two texts differ, as a unified diff with two lines of context. Takes bounded time.
#[must_use]
pub fn unified_diff(before: &str, after: &str) -> String {
    let diff =
        TextDiff::configure().algorithm(Algorithm::Myers).timeout(TIME_LIMIT).diff_lines(before, after);
    diff.unified_diff().context_radius(2).to_string()
}

pub(super) fn diff(before: &str, after: &str) -> Diff {
    let text = unified_diff(before, after);
    match cut_end(&text, MAX_DIFF) {
        all if all.len() == text.len() => Diff::Whole(text),
        // A partial line could be mistaken for a whole one.
        part => Diff::Part(part.rsplit_once('\n').map_or("", |(lines, _)| lines).to_owned()),
    }
}
