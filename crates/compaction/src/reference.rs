//! References in texts: how a cleared text names where its bytes are, and how such names are found again.

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

/// What stands in place of a cleared result.
pub(crate) fn cleared(bytes: u64, tool: &str, stored: &ResultRef, names: &[&str]) -> String {
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

/// What stands in place of a result of which start and end are shown, `show` bytes in all.
///
/// It has the form of a result that was stored when it came in, so a later compaction knows it as one.
pub(crate) fn shortened(text: &str, bytes: u64, tool: &str, stored: &ResultRef, show: usize) -> String {
    let head = cut_end(text, show - show / 3);
    let tail = cut_start(text.get(head.len()..).unwrap_or_default(), show / 3);
    let hidden = group_thousands((text.len() - head.len() - tail.len()) as u64);
    let (bytes, naming) = (group_thousands(bytes), naming(stored));
    format!(
        "{STORED}{bytes} bytes from \"{tool}\".\n{head}\n[… {hidden} bytes not shown …]\n{tail}]\n\
         Use the \"read_result\" tool with {naming} to read specific portions."
    )
}

/// What stands in place of a long string of a call's input. Its start is kept.
pub(crate) fn clipped(text: &str, keep: usize, stored: &ResultRef, names: &[&str]) -> String {
    let bytes = group_thousands(text.len() as u64);
    let mut out = format!("{}{CUT}{bytes} bytes, the whole input is {}", cut_end(text, keep), naming(stored));
    if !names.is_empty() {
        let _ = write!(out, "; names in it: {}", names.join(", "));
    }
    out.push(']');
    out
}

/// Whether a string of an input is one that was cut before.
pub(crate) fn is_clipped(text: &str) -> bool {
    text.ends_with(']')
        && text.rfind(CUT).is_some_and(|at| text.get(at..).is_some_and(|end| end.contains(REF)))
}

/// A result that is not shown whole: where its bytes are, and how many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) stored: ResultRef,
    pub(crate) bytes: u64,
}

/// The same in short: the size alone, and the reference on a line of its own.
pub(crate) fn cleared_was(bytes: u64, stored: &ResultRef) -> String {
    let naming = naming(stored);
    format!("{CLEARED}{WAS}{bytes} bytes]\nUse the \"read_result\" tool with {naming} to read it.")
}

/// A start of a result with a query behind it that gives all of it. `id` is the row of the result.
pub(crate) fn truncated(head: &str, id: u64, stored: &ResultRef) -> String {
    format!("{head} [{}]{TRUNCATED}{id}{TO_SEE}", naming(stored))
}

/// Reads a result of that form: the start, and where all of it is.
pub(crate) fn of_truncated(text: &str) -> Option<(&str, ResultRef)> {
    let (shown, id) = text.strip_suffix(TO_SEE)?.rsplit_once(TRUNCATED)?;
    id.parse::<u64>().ok()?;
    let (head, name) = shown.strip_suffix("\"]")?.rsplit_once(" [ref_id=\"")?;
    Some((head, ResultRef::from_text(refs(name).next().filter(|found| *found == name)?)))
}

/// Reads a result that was cleared before.
pub(crate) fn of_cleared(text: &str) -> Option<Reference> {
    let mut lines = text.lines();
    let first = lines.next()?;
    let size = first.strip_prefix(CLEARED)?;
    match size.strip_prefix(WAS) {
        Some(size) => Some(Reference { stored: last_ref(lines.next()?)?, bytes: figure(size)? }),
        None => Some(Reference { stored: last_ref(first)?, bytes: figure(size)? }),
    }
}

/// Reads a result that was stored when it came in and is shown in part. The form is taken strictly: first
/// line and last line must both be there.
pub(crate) fn of_stored(text: &str) -> Option<Reference> {
    let bytes = figure(text.strip_prefix(STORED)?)?;
    let last = text.trim_end().lines().next_back()?;
    let stored = last_ref(last.strip_prefix("Use the \"read_result\" tool with ")?)?;
    Some(Reference { stored, bytes })
}

/// Reads either.
pub(crate) fn of_shown(text: &str) -> Option<Reference> {
    of_cleared(text).or_else(|| of_stored(text))
}

/// What is shown of a stored result: the text without its first and its last line.
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
