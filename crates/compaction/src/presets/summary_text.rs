//! The text of a preset's summary: its own prose, then what no preset may lose.
//!
//! Behind the prose stand the user's words, as far as they have room, and the place of the full text. A later summary
//! reads them back, so words do not get lost from one compaction to the next.

use throughline_conversation::{Entry, EntryKind, Span};

use crate::Draft;
use crate::blob::full_text;
use crate::history::{is_engines, progress_of};
use crate::reference::naming;
use crate::words::{quote, unquote};

const WORDS: &str = "\n\n## What the user said\n";
const FULL: &str = "\n\n[Full text of these messages: ";
const FULL_END: &str = " (use \"read_result\").]";
const COUNT: &str = "[Summary of ";
const COUNT_END: &str = " earlier messages]\n";
/// What the user's last request is introduced by where it does not stay a message of its own.
pub(super) const LAST_REQUEST: &str = "\n\nLast request from user was: ";

/// Puts a summary of a stretch together, and keeps the full text of the stretch in the draft.
pub(super) fn compose(
    draft: &mut Draft<'_>,
    span: Span,
    prose: &str,
    words: &[String],
    budget: u64,
) -> String {
    let full = draft.keep("conversation", full_text(draft.original_of(span)).as_bytes());
    let mut text = plain(prose.trim());
    let said = quote(words, budget, draft.counter());
    if !said.is_empty() {
        text.push_str(WORDS);
        text.push_str(&said);
    }
    text.push_str(FULL);
    text.push_str(&naming(&full));
    text.push_str(FULL_END);
    text
}

/// Prose without anything that could be taken for what stands behind it.
fn plain(prose: &str) -> String {
    let mut text = prose.to_owned();
    for mark in [WORDS, FULL, LAST_REQUEST] {
        // One line end less is no mark any more; where there are three, the next round takes the next.
        while text.contains(mark) {
            text = text.replace(mark, mark.trim_start_matches('\n'));
        }
    }
    text
}

/// What an earlier summary says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Earlier<'t> {
    /// Its prose; all of it when it has another form.
    pub(super) prose: &'t str,
    pub(super) words: Vec<String>,
    /// The user's last request, where it is part of the summary.
    pub(super) request: Option<&'t str>,
}

impl<'t> Earlier<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let quoted = |text: &str| text.split_once(WORDS).map_or_else(Vec::new, |(_, said)| unquote(said));
        let Some((said, rest)) = text.split_once(FULL) else {
            return Self { prose: text, words: quoted(text), request: None };
        };
        let prose = said.split_once(WORDS).map_or(said, |(prose, _)| prose);
        let behind = rest.split_once(FULL_END).map_or("", |(_, behind)| behind);
        Self { prose, words: quoted(said), request: behind.strip_prefix(LAST_REQUEST) }
    }
}

/// Whether an entry is a summary that ends with the user's last request.
pub(crate) fn ends_with_a_request(entry: &Entry) -> bool {
    entry.kind == EntryKind::Summary
        && entry.message.texts().any(|text| Earlier::read(text).request.is_some())
}

/// The prose of all summaries among entries, oldest first. Of one in the engine's own form it is the progress, and a
/// text that only says where messages can be read has none.
pub(super) fn prose_of(entries: &[Entry]) -> Option<String> {
    let summaries = entries.iter().filter(|entry| entry.kind == EntryKind::Summary);
    let prose = |text| match is_engines(text) {
        true => progress_of(text),
        false => Some(without_count(Earlier::read(text).prose)),
    };
    let told: Vec<&str> = summaries.flat_map(|entry| entry.message.texts()).filter_map(prose).collect();
    (!told.is_empty()).then(|| told.join("\n\n"))
}

/// A summary's prose with the line before it that says how many messages it stands for.
pub(super) fn with_count(count: usize, text: &str) -> String {
    format!("{COUNT}{count}{COUNT_END}{text}")
}

fn without_count(prose: &str) -> &str {
    let rest = prose.strip_prefix(COUNT).and_then(|rest| rest.split_once(COUNT_END));
    rest.filter(|(count, _)| count.parse::<usize>().is_ok()).map_or(prose, |(_, own)| own)
}

/// The user's words of entries, oldest first, those among earlier summaries included.
pub(super) fn words_of(entries: &[Entry]) -> Vec<String> {
    let mut words = Vec::new();
    for entry in entries {
        match entry.kind {
            EntryKind::User => words.push(entry.message.text()),
            EntryKind::Summary => {
                for text in entry.message.texts() {
                    let earlier = Earlier::read(text);
                    words.extend(earlier.words);
                    words.extend(earlier.request.map(str::to_owned));
                }
            }
            _ => {}
        }
    }
    words.retain(|text| !text.trim().is_empty());
    words
}

#[cfg(test)]
mod tests;
