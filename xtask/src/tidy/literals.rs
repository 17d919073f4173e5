//! Long texts are in files of their own: a prompt in a string literal is hard to read and diffs badly.

use super::Finding;
use crate::source;
use crate::tokens::{Kind, tokens};
use crate::tree::TextFile;

/// Longer than any message or hint.
const MAX_CHARS: usize = 400;

/// Taller than any message or hint.
const MAX_LINES: usize = 6;

/// Looks at every string literal that is not in test code.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if !file.is_rust() || source::is_test_file(&file.path) {
        return Vec::new();
    }
    let lines = source::lines(&file.path, &file.text);
    let in_test = |number: usize| lines.get(number - 1).is_some_and(|line| line.test);
    tokens(&file.text)
        .into_iter()
        .filter(|token| token.kind == Kind::Text)
        .filter(|literal| literal.chars() > MAX_CHARS || literal.lines() > MAX_LINES)
        .filter(|literal| !in_test(literal.line))
        .map(|literal| {
            let says = format!(
                "a string of {} characters on {} line(s): prompt texts live in .md files",
                literal.chars(),
                literal.lines()
            );
            Finding::at(file, literal.line, says)
        })
        .collect()
}

#[cfg(test)]
mod tests;
