//! The lines that report the outcome of quality gates in a message of the user.
//!
//! `task` writes these lines; a compaction reads them and repeats them in its summary.

use throughline_text::cut_end;

/// Begins the line of a gate that passed: `QUALITY_PASSED: cargo test`.
pub const QUALITY_PASSED: &str = "QUALITY_PASSED";

/// Begins the line of a gate that failed: `QUALITY_FAILED: cargo test (exit 1)`.
pub const QUALITY_FAILED: &str = "QUALITY_FAILED";

/// What both have in common.
const QUALITY: &str = "QUALITY_";

/// A result is one line of a summary; more adds nothing.
const MAX_BYTES: usize = 400;

/// The quality gate results of a message, in one line; `None` if it has none.
///
/// Lines that begin with one of the two words are taken, all of them, in order. A message that has `QUALITY_` only
/// elsewhere gives the line in which it stands first.
#[must_use]
pub fn quality_result(text: &str) -> Option<String> {
    let is_result = |line: &&str| {
        let after = |word| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(':'));
        after(QUALITY_PASSED) || after(QUALITY_FAILED)
    };
    let results: Vec<&str> = text.lines().filter(is_result).map(str::trim_end).collect();
    let line = if results.is_empty() {
        text.lines().find(|line| line.contains(QUALITY))?.trim().to_owned()
    } else {
        results.join("; ")
    };
    Some(if line.len() > MAX_BYTES { format!("{}…", cut_end(&line, MAX_BYTES)) } else { line })
}

#[cfg(test)]
mod tests;
