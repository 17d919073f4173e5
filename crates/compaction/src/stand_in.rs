//! The text that stands in place of messages.

use std::collections::HashSet;

use throughline_conversation::{ResultRef, Span};

use crate::Draft;
use crate::blob::full_text;
use crate::budgets::Budgets;
use crate::history::History;
use crate::ledger::newest;
use crate::names::names;
use crate::reference::naming;
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
    let span = format!("{} to {}", span.first, span.last);
    if budgets == Budgets::default() {
        return fill(NOTICE, &[("span", &span), ("full", &naming(&full))]);
    }
    let counter = draft.counter();
    let words = quote(&history.words, budgets.words, counter);
    let progress = escape(&fit(progress.trim(), budgets.progress, counter));
    // Half of the ledger is for files, the rest for commands and, a little less, for errors.
    let file_lines: Vec<String> = history.ledger.files.iter().map(|note| note.line(draft, least)).collect();
    let files = newest(&file_lines, budgets.ledger / 2, counter);
    let commands = newest(&history.ledger.commands, budgets.ledger * 3 / 10, counter);
    let errors = newest(&history.ledger.errors, budgets.ledger / 5, counter);
    let mut shown = visible.clone();
    for text in [&words, &progress, &files, &commands, &errors] {
        shown.extend(names(text));
    }
    let bytes = usize::try_from(budgets.names.saturating_mul(4)).unwrap_or(usize::MAX);
    let index = history.names.render(&shown, bytes);
    fill(
        SUMMARY,
        &[
            ("span", &span),
            ("words", &words),
            ("progress", &progress),
            ("files", &files),
            ("commands", &commands),
            ("errors", &errors),
            ("names", &index),
            ("full", &reading_back(&full, &history.earlier)),
        ],
    )
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

/// A section of such a text: what stands under its heading.
pub(crate) fn section<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("\n## {name}\n"))?;
    Some(rest.split_once("\n## ").map_or(rest, |(body, _)| body).trim_end())
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
