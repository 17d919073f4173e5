//! What a short result says of its call, as keys with values.

use std::collections::HashSet;

use throughline_conversation::{ToolCall, ToolResult};
use throughline_text::path_tail;

use crate::guidance::is_guidance;
use crate::history::strings;
use crate::names::names;
use crate::pairs::{Pair, pairs};
use crate::stub::refs;

/// A longer result is no single value.
const LONGEST: usize = 200;
/// A longer key costs more than its value.
const LONGEST_KEY: usize = 100;
/// Shorter numbers are counts and exit codes.
const DIGITS: usize = 3;

/// The key and the value of a call whose result is one short line with a name or a number that the call does not have.
///
/// The key is all texts of the call's arguments. The value is the line without the key at its start.
pub(crate) fn value_of(call: &ToolCall, result: &ToolResult) -> Option<(String, String)> {
    let line = result.content.trim();
    let is_value = !line.is_empty() && line.len() <= LONGEST && line.lines().nth(1).is_none();
    if result.is_error || !is_value || is_guidance(line) {
        return None;
    }
    let key: Vec<&str> = strings(&call.input).map(str::trim).filter(|text| !text.is_empty()).collect();
    let last = key.last()?;
    let value = match line.split_once(last) {
        Some((_, behind)) => behind.trim_start_matches([':', '=', ' ', '\t']),
        None => line,
    };
    let value = if value.is_empty() { line } else { value };
    let key = key.join(" ");
    let fits = !key.contains('\n') && key.len() <= LONGEST_KEY && refs(line).next().is_none();
    (fits && says_more(value, &key)).then(|| (key, value.to_owned()))
}

/// The pairs of a result that is made of them: at least half of its lines, or all of one JSON document or table. Each key has the
/// last text of the call's arguments before it, where that is a name: results of many calls have the same keys.
pub(crate) fn pairs_of(call: &ToolCall, result: &ToolResult) -> Vec<(String, String)> {
    /// A longer result is a file or a log, which can be read again.
    const LONGEST: usize = 4_000;
    /// More of one result are a listing.
    const MOST: usize = 40;
    let content = &result.content;
    let asks = || content.lines().any(is_guidance);
    if result.is_error || content.len() > LONGEST || refs(content).next().is_some() || asks() {
        return Vec::new();
    }
    let found = pairs(content);
    let mut said = 0;
    let mut end = 0;
    for pair in &found {
        said += pair.at.end.saturating_sub(pair.at.start.max(end));
        end = end.max(pair.at.end);
    }
    if found.len() > MOST || said * 2 < content.trim().len() {
        return Vec::new();
    }
    let of = strings(&call.input).last().map(path_tail).unwrap_or_default();
    let of = if of.contains(char::is_whitespace) || of.len() > LONGEST_KEY / 2 { "" } else { of };
    // JSON may write in escapes what its lines do not show.
    let asks_for = |pair: &Pair| is_guidance(&pair.key) || is_guidance(&pair.value);
    let specific = found.into_iter().filter(|pair| specificity(&pair.value) >= 1.0 && !asks_for(pair));
    specific
        .map(|pair| match of.is_empty() || pair.key.contains(of) {
            true => (pair.key, pair.value),
            false => (format!("{of} {}", pair.key), pair.value),
        })
        .collect()
}

/// How little a value can be guessed: 1 for a name, a code or a number of several digits, less for words.
pub(crate) fn specificity(value: &str) -> f64 {
    const WORD: f64 = 0.5;
    const SMALL: f64 = 0.3;
    let mut numbers = value.split(|letter: char| !letter.is_ascii_digit());
    if names(value).next().is_some() || numbers.any(|number| number.len() >= DIGITS) {
        1.0
    } else if value.starts_with(char::is_uppercase) || value.contains(|letter: char| letter.is_ascii_digit())
    {
        WORD
    } else {
        SMALL
    }
}

/// Returns true if the value has a name or a number that the key does not have.
fn says_more(value: &str, key: &str) -> bool {
    let known: HashSet<&str> = names(key).collect();
    let mut numbers = value.split(|letter: char| !letter.is_alphanumeric());
    names(value).any(|name| !known.contains(name) && !key.contains(name))
        || numbers.any(|number| {
            number.len() >= DIGITS
                && number.bytes().all(|digit| digit.is_ascii_digit())
                && !key.contains(number)
        })
}

#[cfg(test)]
mod tests;
