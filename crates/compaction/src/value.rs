//! What a short result says of its call, as `key=value`.

use std::collections::HashSet;

use throughline_conversation::{ToolCall, ToolResult};

use crate::history::strings;
use crate::names::names;
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
    if result.is_error || line.is_empty() || line.len() > LONGEST || line.lines().nth(1).is_some() {
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
