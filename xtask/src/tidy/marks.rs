//! Marks of unfinished work, and tests that do not really test. This file spells them, so it is not checked.

use super::Finding;
use crate::tree::TextFile;

/// A mark, and what to do in its place.
type Mark = (&'static str, &'static str);

/// Refused in everything that people write.
const UNFINISHED: &[Mark] = &[("TODO", FINISH), ("FIXME", FINISH)];

/// Refused in Rust.
const IN_RUST: &[Mark] = &[
    ("todo!", FINISH),
    ("unimplemented!", FINISH),
    ("#[ignore", "a test that never runs proves nothing: make it a suite of `cargo xtask integration`"),
    ("should_panic", "assert the error value: a panic may have any cause"),
];

const FINISH: &str = "finish it, or leave it out";

/// The extensions of files that people write; recorded data may hold anything.
const WRITTEN: &[&str] = &[".rs", ".toml", ".md", ".sh"];

/// This file.
const SELF: &str = "xtask/src/tidy/marks.rs";

/// Looks for the marks, line by line.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if file.path == SELF || !WRITTEN.iter().any(|extension| file.path.ends_with(extension)) {
        return Vec::new();
    }
    let rust = if file.is_rust() { IN_RUST } else { &[] };
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        for (mark, advice) in UNFINISHED.iter().chain(rust) {
            if has_word(line, mark) {
                findings.push(Finding::at(file, index + 1, format!("`{mark}`: {advice}")));
            }
        }
    }
    findings
}

/// Returns true if the line contains the mark as a word of its own, not as a part of a longer one.
fn has_word(line: &str, mark: &str) -> bool {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(mark).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + mark.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    })
}

#[cfg(test)]
mod tests;
