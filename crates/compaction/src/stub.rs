//! Stubs: the texts that replace cleared results and inputs, each with the reference of the original, and their parsers.

use std::fmt::Write as _;

use throughline_conversation::ResultRef;
pub(crate) use throughline_ledger::{naming, refs};
use throughline_text::{cut_end, cut_start, group_thousands};

const CLEARED: &str = "[Tool result cleared — ";
const WAS: &str = "was ";
const TRUNCATED: &str = "... [TRUNCATED. Use query_db(sql=\"SELECT content FROM messages WHERE id=";
const TO_SEE: &str = "\") to see full output]";
const STORED: &str = "[Tool result stored — ";
const NAMES: &str = "\nNames in it: ";
const REF: &str = "ref_id=\"";
const CUT: &str = "… [cut: ";

/// The stub of a cleared result: its size, tool and reference, and names that occur in it.
#[must_use]
pub fn cleared_stub(bytes: u64, tool: &str, stored: &ResultRef, names: &[&str]) -> String {
    let bytes = group_thousands(bytes);
    let naming = naming(stored);
    let mut text = format!(
        "{CLEARED}{bytes} bytes from \"{tool}\". Use the \"read_result\" tool with {naming} to read it.]"
    );
    if !names.is_empty() {
        let _ = write!(text, "{NAMES}{}", names.join(", "));
    }
    text
}

/// The stub of a result of which start and end stay visible, `show` bytes in all.
///
/// It has the form of a result that was offloaded when it arrived, so that a later compaction recognizes it.
pub(crate) fn shortened_stub(text: &str, bytes: u64, tool: &str, stored: &ResultRef, show: usize) -> String {
    let head = cut_end(text, show - show / 3);
    let tail = cut_start(text.get(head.len()..).unwrap_or_default(), show / 3);
    let hidden = group_thousands((text.len() - head.len() - tail.len()) as u64);
    let (bytes, naming) = (group_thousands(bytes), naming(stored));
    format!(
        "{STORED}{bytes} bytes from \"{tool}\".\n{head}\n[… {hidden} bytes not shown …]\n{tail}]\n\
         Use the \"read_result\" tool with {naming} to read specific portions."
    )
}

/// The text that replaces a long string of a call's input: its start, and the reference of the input.
pub(crate) fn clipped_input(text: &str, keep: usize, stored: &ResultRef, names: &[&str]) -> String {
    let bytes = group_thousands(text.len() as u64);
    let mut out = format!("{}{CUT}{bytes} bytes, the whole input is {}", cut_end(text, keep), naming(stored));
    if !names.is_empty() {
        let _ = write!(out, "; names in it: {}", names.join(", "));
    }
    out.push(']');
    out
}

/// Returns true if a string of an input was clipped before.
pub(crate) fn is_clipped(text: &str) -> bool {
    text.ends_with(']')
        && text.rfind(CUT).is_some_and(|at| text.get(at..).is_some_and(|end| end.contains(REF)))
}

/// A result that is not shown whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReference {
    /// The reference of the whole result.
    pub stored: ResultRef,
    /// Its size.
    pub bytes: u64,
}

/// A shorter stub of a cleared result: its size, and the reference on a line of its own.
#[must_use]
pub fn short_cleared_stub(bytes: u64, stored: &ResultRef) -> String {
    let naming = naming(stored);
    format!("{CLEARED}{WAS}{bytes} bytes]\nUse the \"read_result\" tool with {naming} to read it.")
}

/// The stub of a result of which the start stays visible, with a query that returns all of it. `id` is the row of the
/// result in the history's table `messages`.
#[must_use]
pub fn truncated_stub(head: &str, id: u64, stored: &ResultRef) -> String {
    format!("{head} [{}]{TRUNCATED}{id}{TO_SEE}", naming(stored))
}

/// Parses a [`truncated_stub`]: the start, and the reference of the whole.
#[must_use]
pub fn parse_truncated(text: &str) -> Option<(&str, ResultRef)> {
    let (shown, id) = text.strip_suffix(TO_SEE)?.rsplit_once(TRUNCATED)?;
    id.parse::<u64>().ok()?;
    let (head, name) = shown.strip_suffix("\"]")?.rsplit_once(" [ref_id=\"")?;
    Some((head, ResultRef::from_text(refs(name).next().filter(|found| *found == name)?)))
}

/// Parses a [`cleared_stub`] or a [`short_cleared_stub`].
#[must_use]
pub fn parse_cleared(text: &str) -> Option<StoredReference> {
    let mut lines = text.lines();
    let first = lines.next()?;
    let size = first.strip_prefix(CLEARED)?;
    match size.strip_prefix(WAS) {
        Some(size) => Some(StoredReference { stored: last_ref(lines.next()?)?, bytes: figure(size)? }),
        None => Some(StoredReference { stored: last_ref(first)?, bytes: figure(size)? }),
    }
}

/// Parses a result that was offloaded when it arrived and is shown in part. Strict: first and last line must both match.
pub(crate) fn parse_stored(text: &str) -> Option<StoredReference> {
    let bytes = figure(text.strip_prefix(STORED)?)?;
    let last = text.trim_end().lines().next_back()?;
    let stored = last_ref(last.strip_prefix("Use the \"read_result\" tool with ")?)?;
    Some(StoredReference { stored, bytes })
}

/// Parses the stub of a cleared result, or the preview of one that was offloaded when it arrived.
#[must_use]
pub fn parse_stub(text: &str) -> Option<StoredReference> {
    parse_cleared(text).or_else(|| parse_stored(text))
}

/// The visible part of an offloaded result: the text without its first and its last line.
pub(crate) fn inside_stored(text: &str) -> &str {
    let text = text.split_once('\n').map_or(text, |(_, rest)| rest);
    text.rsplit_once('\n').map_or(text, |(rest, _)| rest)
}

fn figure(text: &str) -> Option<u64> {
    let (digits, _) = text.split_once(" bytes")?;
    digits.replace(',', "").parse().ok()
}

fn last_ref(text: &str) -> Option<ResultRef> {
    refs(text).last().map(ResultRef::from_text)
}

#[cfg(test)]
mod tests;
