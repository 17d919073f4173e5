//! A summary of free prose, followed by what no summary may lose: the user's words, as far as they have room, and
//! the place of the full text. A later summary reads them back, so words are not lost from compaction to compaction.

use throughline_conversation::{Entry, EntryKind, ResultRef, Span};
use throughline_ledger::section;

use crate::draft::Draft;
use crate::history::{SAID, has_sections, progress_of};
use crate::injected::own_prose;
use crate::prose_parts::{COUNT, COUNT_END, FULL, FULL_END, IN_PART, LAST_REQUEST, ProseSummary, WORDS};
use crate::stub::naming;
use crate::words::{quote, unquote};

impl ProseSummary<'_> {
    /// Writes the text of a summary of a span, and keeps the span's full text in the draft. Of the user's words at most
    /// `words_tokens` tokens are quoted.
    pub fn render(
        draft: &mut Draft<'_>,
        span: Span,
        prose: &str,
        words: &[String],
        words_tokens: u64,
    ) -> String {
        let full = draft.keep_messages(span);
        let covered = draft.original_of(span);
        let prose = own_prose(draft, covered, prose);
        let mut text = without_marks(prose.trim());
        let quoted = quote(words, words_tokens, draft.counter());
        if !quoted.is_empty() {
            text.push_str(WORDS);
            text.push_str(&quoted);
        }
        text.push_str(FULL);
        text.push_str(&naming(&full));
        text.push_str(FULL_END);
        text
    }

    /// A rendered summary with the user's last request at its end.
    #[must_use]
    pub fn with_request(text: &str, request: &str) -> String {
        format!("{text}{LAST_REQUEST}{request}")
    }

    /// The text of a summary that is the user's last request, shown in part; the results have all of it.
    #[must_use]
    pub fn of_request(request: &str, stored: &[ResultRef]) -> String {
        let full: Vec<String> = stored.iter().map(naming).collect();
        Self::with_request(&format!("{IN_PART}{FULL}{}{FULL_END}", full.join(", ")), request)
    }

    /// A rendered summary whose first line has the number of covered messages.
    #[must_use]
    pub fn with_count(count: usize, text: &str) -> String {
        format!("{COUNT}{count}{COUNT_END}{text}")
    }

    /// The prose of all summaries among entries, oldest first; `None` without any. A summary with sections counts with
    /// its progress; a notice that only names the full text has no prose.
    #[must_use]
    pub fn all_prose(entries: &[Entry]) -> Option<String> {
        let summaries = entries.iter().filter(|entry| entry.kind == EntryKind::Summary);
        let prose = |text| match has_sections(text) {
            true => progress_of(text),
            false => Some(without_count(ProseSummary::parse(text).prose)),
        };
        let all: Vec<&str> = summaries.flat_map(Entry::own_texts).filter_map(prose).collect();
        (!all.is_empty()).then(|| all.join("\n\n"))
    }

    /// The user's words of entries, oldest first, those in earlier summaries included.
    #[must_use]
    pub fn all_words(entries: &[Entry]) -> Vec<String> {
        let mut words = Vec::new();
        for entry in entries {
            match entry.kind {
                EntryKind::User => words.push(entry.message.request_text()),
                EntryKind::Summary => words.extend(entry.own_texts().flat_map(words_of_summary)),
                _ => {}
            }
        }
        words.retain(|text| !text.trim().is_empty());
        words
    }

    /// The user's last request among entries: a message of their own, or the end of an earlier summary. Notes of the
    /// engine are not requests.
    #[must_use]
    pub fn last_request(entries: &[Entry]) -> Option<String> {
        let request = |entry: &Entry| match entry.kind {
            EntryKind::User => Some(entry.message.request_text()),
            EntryKind::Summary => {
                let mut texts = entry.own_texts();
                texts.find_map(|text| ProseSummary::parse(text).request.map(str::to_owned))
            }
            _ => None,
        };
        entries.iter().rev().filter_map(request).find(|text| !text.trim().is_empty())
    }
}

/// The user's words that a summary of any form quotes, oldest first.
#[must_use]
pub fn words_of_summary(text: &str) -> Vec<String> {
    if has_sections(text) && request_of_summary(text).is_none() {
        return section(text, SAID).map_or_else(Vec::new, unquote);
    }
    let ProseSummary { mut words, request, .. } = ProseSummary::parse(text);
    words.extend(request.map(str::to_owned));
    words
}

/// The user's last request, where a summary ends with it.
#[must_use]
pub(crate) fn request_of_summary(text: &str) -> Option<&str> {
    ProseSummary::parse(text).request
}

/// Prose without anything that could be mistaken for one of the parts after it.
fn without_marks(prose: &str) -> String {
    let mut text = prose.to_owned();
    for mark in [WORDS, FULL, LAST_REQUEST] {
        // With one line end less it is no mark any more; where there are three, the next round finds the next mark.
        while text.contains(mark) {
            text = text.replace(mark, mark.trim_start_matches('\n'));
        }
    }
    text
}

fn without_count(prose: &str) -> &str {
    let rest = prose.strip_prefix(COUNT).and_then(|rest| rest.split_once(COUNT_END));
    rest.filter(|(count, _)| count.parse::<usize>().is_ok()).map_or(prose, |(_, own)| own)
}

/// Returns true if an entry is a summary that ends with the user's last request.
pub(crate) fn ends_with_a_request(entry: &Entry) -> bool {
    entry.kind == EntryKind::Summary && entry.own_texts().any(|text| request_of_summary(text).is_some())
}

#[cfg(test)]
mod tests;
