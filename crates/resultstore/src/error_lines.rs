//! Lines that look like errors: what a model most often needs of the part that a preview leaves out.

use std::collections::HashSet;

use crate::lines::{excerpt, lines};
use crate::lossy;

/// Maximum bytes that are shown of one line.
const WIDTH: usize = 200;

/// Words that mean that something went wrong.
const FAILURE: &[&str] = &[
    "abort",
    "aborted",
    "denied",
    "error",
    "errors",
    "exception",
    "fail",
    "failed",
    "failure",
    "failures",
    "fatal",
    "killed",
    "panic",
    "panicked",
    "segfault",
    "traceback",
    "undefined",
    "unresolved",
];

/// Words that mean that something may be wrong.
const WARNING: &[&str] = &["deprecated", "warn", "warning", "warnings"];

/// Words that count things: next to a zero they mean success.
const COUNTED: &[&str] = &["error", "errors", "failed", "failures", "failure", "warning", "warnings"];

/// How bad a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Something failed.
    Failure,
    /// Something is amiss.
    Warning,
}

/// A line that was picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErrorLine {
    /// Its number.
    pub(crate) number: u64,
    /// Its text, cut around what makes it one when it is long.
    pub(crate) text: String,
}

/// Picks at most `most` lines, failures before warnings and earlier before later, and puts them in order. Lines
/// of equal text count once. The second value is how many there are to pick from.
pub(crate) fn pick(bytes: &[u8], first_number: u64, most: usize) -> (Vec<ErrorLine>, usize) {
    let mut seen = HashSet::new();
    let (mut failures, mut warnings) = (Vec::new(), Vec::new());
    let mut found = 0;
    for line in lines(bytes) {
        let text = lossy::text(line.bytes, 0, line.bytes.len());
        let Some((severity, at)) = judge(&text) else { continue };
        if !seen.insert(text.trim().to_owned()) {
            continue;
        }
        found += 1;
        let picked = match severity {
            Severity::Failure => &mut failures,
            Severity::Warning => &mut warnings,
        };
        if picked.len() < most {
            let number = line.number + first_number.saturating_sub(1);
            picked.push(ErrorLine { number, text: excerpt(text.as_bytes(), at, WIDTH).text });
        }
    }
    failures.extend(warnings);
    failures.truncate(most);
    failures.sort_by_key(|line| line.number);
    (failures, found)
}

/// Finds where a line looks like an error.
pub(crate) fn judge(line: &str) -> Option<(Severity, usize)> {
    let words: Vec<(usize, &str)> = words(line).collect();
    let word = |index: usize| words.get(index).map_or("", |(_, word)| word);
    let mut warning = None;
    for (index, (at, this)) in words.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", word);
        if is(this, FAILURE) || is_error_type(this) || bad_exit(this, word(index + 1), word(index + 2)) {
            if !is_counted_zero(this, before, word(index + 1)) {
                return Some((Severity::Failure, *at));
            }
        } else if warning.is_none() && is(this, WARNING) && !is_counted_zero(this, before, word(index + 1)) {
            warning = Some((Severity::Warning, *at));
        }
    }
    warning
}

/// Runs of letters, digits and `_`. So `error_count` is one word, and no error.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let start = line.as_ptr().addr();
    line.split(move |c| !part(c))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr().addr() - start, word))
}

fn is(word: &str, list: &[&str]) -> bool {
    list.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// `TypeError`, `IOException`: the names that languages give to errors.
fn is_error_type(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && (word.ends_with("Error") || word.ends_with("Exception"))
}

/// `exit status 1`, `exit code: 2`, `exited with 3`.
fn bad_exit(this: &str, next: &str, after: &str) -> bool {
    let exit = is(this, &["exit", "exited"]) && is(next, &["status", "code", "with"]);
    exit && after != "0" && !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_digit())
}

/// `0 failed`, `no errors`, `errors: 0`.
fn is_counted_zero(this: &str, before: &str, after: &str) -> bool {
    is(this, COUNTED) && (is(before, &["0", "no", "without", "zero"]) || after == "0")
}

#[cfg(test)]
mod tests;
