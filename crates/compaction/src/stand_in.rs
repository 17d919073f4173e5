//! The text that stands in place of messages.

use std::collections::{HashMap, HashSet};

use throughline_conversation::{ContentBlock, Entry, ResultRef, Span, ToolResult};
use throughline_ledger::also_changed;

use crate::Draft;
use crate::blob::full_text;
use crate::budgets::Budgets;
use crate::history::History;
use crate::names::names;
use crate::reference::{naming, of_shown};
use crate::words::{fit, quote};

const SUMMARY: &str = include_str!("../texts/summary.md");
const NOTICE: &str = include_str!("../texts/notice.md");

/// Writes what stands in place of a stretch, and keeps the full text of the stretch in the draft.
///
/// With no budgets at all it is one line that only says where the full text is.
pub(crate) fn compose(
    draft: &mut Draft<'_>,
    span: Span,
    history: &History<'_>,
    progress: &str,
    budgets: Budgets,
    least: usize,
    visible: &HashSet<&str>,
) -> String {
    let full = draft.keep("conversation", full_text(draft.original_of(span)).as_bytes());
    let records = format!("{} to {}", span.first, span.last);
    if budgets == Budgets::default() {
        return fill(NOTICE, &[("span", &records), ("full", &naming(&full))]);
    }
    let counter = draft.counter();
    let words = quote(&history.words, budgets.words, counter);
    let progress = escape(&fit(progress.trim(), budgets.progress, counter));
    let results = results(draft.original_of(span));
    let mut stored = |id: &str| results.get(id).and_then(|shown| read_back(draft, shown, least));
    let ledger = history.ledger.render(budgets.ledger, counter, &mut stored);
    let mut shown = visible.clone();
    for text in [&words, &progress, &ledger.checklist, &ledger.files, &ledger.commands, &ledger.errors] {
        shown.extend(names(text));
    }
    let bytes = usize::try_from(budgets.names.saturating_mul(4)).unwrap_or(usize::MAX);
    let index = history.names.render(&shown, bytes);
    let together: HashSet<String> = also_changed(&ledger.files).collect();
    let told = |name: &str| {
        let texts = [&words, &progress, &ledger.files, &ledger.commands, &ledger.errors, &index];
        visible.contains(name) || together.contains(name) || texts.iter().any(|text| text.contains(name))
    };
    let also = history.ledger.missing(told, budgets.ledger / 4, counter);
    let files = [ledger.files.as_str(), &also].into_iter().filter(|part| !part.is_empty());
    let files = files.collect::<Vec<_>>().join("\n");
    fill(
        SUMMARY,
        &[
            ("span", &records),
            ("words", &words),
            ("progress", &progress),
            ("checklist", &ledger.checklist),
            ("files", &files),
            ("commands", &ledger.commands),
            ("errors", &ledger.errors),
            ("names", &index),
            ("full", &reading_back(&full, &history.earlier)),
        ],
    )
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

/// Where a result can be read. One of more than `least` bytes is kept in the draft when it is not stored yet.
fn read_back(draft: &mut Draft<'_>, shown: &(&str, &ToolResult), least: usize) -> Option<ResultRef> {
    let (tool, result) = shown;
    match of_shown(&result.content) {
        Some(reference) => Some(reference.stored),
        None => (result.content.len() > least).then(|| draft.keep(tool, result.content.as_bytes())),
    }
}

/// Names the full text, and those of the stretches before it. Older ones are named in these in turn.
fn reading_back(full: &ResultRef, earlier: &[&str]) -> String {
    /// More would grow with every compaction.
    const MOST: usize = 3;
    let from = earlier.len().saturating_sub(MOST);
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

/// Fills each paragraph of a template with the one value that it names. A paragraph whose value is empty is
/// left out. A value is never looked into, so it cannot name another.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let paragraph = |text: &str| -> Option<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}")?;
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            if value.is_empty() {
                return None;
            }
            out.push_str(before);
            out.push_str(value);
            rest = after;
        }
        out.push_str(rest);
        Some(out)
    };
    template.trim_end().split("\n\n").filter_map(paragraph).collect::<Vec<_>>().join("\n\n")
}

/// Whether a text only says where the full text is.
pub(crate) fn is_notice(text: &str) -> bool {
    NOTICE.split_once("{{").is_some_and(|(start, _)| text.starts_with(start))
}

/// Prose that cannot be taken for a section of the summary.
fn escape(prose: &str) -> String {
    prose
        .split('\n')
        .map(|line| if line.starts_with("## ") { format!("#{line}") } else { line.to_owned() })
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests;
