//! The text of a summary with sections.

use std::collections::{HashMap, HashSet};

use throughline_conversation::{ContentBlock, Entry, ResultRef, Seq, Span, ToolResult};
use throughline_ledger::also_changed;

use crate::budgets::Budgets;
use crate::draft::Draft;
use crate::history::RangeFacts;
use crate::injected::own_prose;
use crate::name_log::NameLog;
use crate::names::names;
use crate::notice;
use crate::pairs::without_runs;
use crate::paragraphs::fill;
use crate::stub::{naming, parse_stub};
use crate::values::GIVEN;
use crate::visible::{Visible, has_pair};
use crate::words::{fit, quote, quote_within};

const SUMMARY: &str = include_str!("../texts/summary.md");

/// Values of results have at most this part of the room for names.
const VALUES_PART: usize = 2;
/// Values that the user gave leave at least this part of the room for the user's words to words.
const QUOTED_PART: u64 = 3;
/// From this many values on, a list in a long text of the user is counted there, and listed with the others.
const LISTED: usize = 4;

/// One text of the user has at most this part of the room for all.
const WORDS_PART: u64 = 4;

/// Writes the summary of a span, and keeps the span's full text in the draft. Without any budget it is a notice.
pub(crate) fn render(
    draft: &mut Draft<'_>,
    span: Span,
    history: &RangeFacts<'_>,
    progress: &str,
    budgets: Budgets,
    least: usize,
    visible: &Visible<'_>,
) -> String {
    let full = draft.keep_messages(span);
    if budgets == Budgets::default() {
        return notice::render(span, &full);
    }
    let counter = draft.counter();
    let (words, given) = words(draft, &history.words, budgets, visible);
    let progress = own_prose(draft, draft.original_of(span), progress);
    let progress = escape(&fit(progress.trim(), budgets.progress, counter));
    let results = results(draft.original_of(span));
    let mut stored = |id: &str| results.get(id).and_then(|shown| read_back(draft, shown, least));
    let ledger = history.ledger.render(budgets.ledger, counter, &mut stored);
    let parts =
        [&words, &given, &progress, &ledger.checklist, &ledger.files, &ledger.commands, &ledger.errors];
    let shown = visible.names.iter().copied().chain(parts.into_iter().flat_map(|text| names(text))).collect();
    let bytes = usize::try_from(budgets.names.saturating_mul(4)).unwrap_or(usize::MAX);
    let (values, index) = match draft.names() {
        Some(log) => {
            let said = |key: &str, value: &str, at| {
                words.contains(value) || ledger.commands.contains(value) || visible.has_pair(key, value, at)
            };
            values_and_names(log, said, shown, bytes)
        }
        None => (String::new(), history.names.render(&shown, bytes)),
    };
    let together: HashSet<String> = also_changed(&ledger.files).collect();
    let named = |name: &str| {
        let texts =
            [&words, &given, &progress, &ledger.files, &ledger.commands, &ledger.errors, &values, &index];
        visible.names.contains(name)
            || together.contains(name)
            || texts.iter().any(|text| text.contains(name))
    };
    let also = history.ledger.missing(named, budgets.ledger / 4, counter);
    fill(
        SUMMARY,
        &[
            ("span", &format!("{} to {}", span.first, span.last)),
            ("words", &words),
            ("given", &given),
            ("progress", &progress),
            ("checklist", &ledger.checklist),
            ("files", &lines_of(&ledger.files, &also)),
            ("commands", &ledger.commands),
            ("errors", &ledger.errors),
            ("values", &values),
            ("names", &index),
            ("full", &reading_back(&full, &history.earlier)),
        ],
    )
}

/// The lines of both texts.
fn lines_of(first: &str, second: &str) -> String {
    if first.is_empty() || second.is_empty() { [first, second].concat() } else { [first, second].join("\n") }
}

/// The values that are not said yet, and the names that neither they nor the rest show.
fn values_and_names(
    log: &NameLog,
    said: impl Fn(&str, &str, Seq) -> bool,
    shown: HashSet<&str>,
    bytes: usize,
) -> (String, String) {
    let mut shown: HashSet<&str> = shown;
    let values = log.values().render_found(said, bytes / VALUES_PART);
    shown.extend(names(&values));
    let index = log.render(&shown, bytes - values.len());
    (values, index)
}

/// The user's words and the values among them. Where one budget must do for all parts, no single text takes most of it: the
/// values in a long text are listed by their keys, and their room is taken from that of the words, up to a part.
fn words(draft: &Draft<'_>, said: &[String], budgets: Budgets, visible: &Visible<'_>) -> (String, String) {
    let counter = draft.counter();
    let Some(log) = draft.names() else {
        return (quote(said, budgets.words, counter), String::new());
    };
    let longest = budgets.words / WORDS_PART;
    let short = |text: &String| match counter.text(text) > longest / LISTED as u64 {
        true => without_runs(text, LISTED, GIVEN),
        false => text.clone(),
    };
    let texts: Vec<String> = said.iter().map(short).collect();
    let hidden = |key: &str, value: &str, at| visible.has_pair(key, value, at);
    let needed = log.values().given_tokens(hidden, counter).saturating_sub(budgets.given);
    let reserved = needed.min(budgets.words - budgets.words / QUOTED_PART);
    let words = quote_within(&texts, budgets.words - reserved, longest, counter);
    let shown = |key: &str, value: &str, at| hidden(key, value, at) || has_pair(&words, key, value);
    let given = log.values().render_given(shown, budgets.given + reserved, counter);
    (words, given)
}

/// Results by the ids of their calls, with the names of the tools.
fn results(entries: &[Entry]) -> HashMap<&str, (&str, &ToolResult)> {
    let mut tools: HashMap<&str, &str> = HashMap::new();
    let mut results = HashMap::new();
    for block in entries.iter().flat_map(|entry| &entry.message.content) {
        match block {
            ContentBlock::ToolCall(call) => {
                tools.insert(&call.id, &call.name);
            }
            ContentBlock::ToolResult(result) => {
                let tool = tools.get(result.call_id.as_str()).copied().unwrap_or_default();
                results.insert(result.call_id.as_str(), (tool, result));
            }
            _ => {}
        }
    }
    results
}

/// The reference of a result. One of more than `least` bytes that is not stored yet is kept in the draft.
fn read_back(draft: &mut Draft<'_>, shown: &(&str, &ToolResult), least: usize) -> Option<ResultRef> {
    let (tool, result) = shown;
    match parse_stub(&result.content) {
        Some(reference) => Some(reference.stored),
        None => (result.content.len() > least).then(|| draft.keep(tool, result.content.as_bytes())),
    }
}

/// Names the full text, and those of the ranges before it. These name older ones in turn.
fn reading_back(full: &ResultRef, earlier: &[&str]) -> String {
    /// More would grow with every compaction.
    const MAX_REFERENCES: usize = 3;
    let from = earlier.len().saturating_sub(MAX_REFERENCES);
    let earlier: Vec<String> = earlier
        .iter()
        .skip(from)
        .filter(|name| **name != full.as_str())
        .map(|name| naming(&ResultRef::from_text(name)))
        .collect();
    match earlier.is_empty() {
        true => naming(full),
        false => format!("{}, of the messages before: {}", naming(full), earlier.join(", ")),
    }
}

/// Prose that cannot be mistaken for a section of the summary.
fn escape(prose: &str) -> String {
    prose
        .split('\n')
        .map(|line| if line.starts_with("## ") { format!("#{line}") } else { line.to_owned() })
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests;
