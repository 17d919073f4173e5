//! What changed between two texts, bounded.

use std::time::Duration;

use similar::{Algorithm, TextDiff};
use throughline_text::cut_end;

/// Most bytes of a difference that is shown.
const SHOWN: usize = 6 * 1024;

/// Texts without anything in common would take minutes; after this the rest is taken as replaced.
const PATIENCE: Duration = Duration::from_millis(500);

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Diff {
    /// All of it, as a unified diff.
    Whole(String),
    /// Its beginning.
    Part(String),
    /// The earlier text is not kept.
    Unknown,
}

pub(super) fn diff(before: &str, after: &str) -> Diff {
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_lines(before, after);
    let text = diff.unified_diff().context_radius(2).to_string();
    match cut_end(&text, SHOWN) {
        all if all.len() == text.len() => Diff::Whole(text),
        // Half a line may be taken for a whole one.
        part => Diff::Part(part.rsplit_once('\n').map_or("", |(lines, _)| lines).to_owned()),
    }
}
