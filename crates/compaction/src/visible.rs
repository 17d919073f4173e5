//! What the model sees besides a summary that is being written.

use std::collections::HashSet;

use throughline_conversation::{ContentBlock, Entry, EntryKind, Seq, Span};
use throughline_text::cut_end;

use crate::history::strings;
use crate::names::names;

/// Names, values and messages that need not be listed once more.
#[derive(Debug, Default)]
pub(crate) struct Visible<'t> {
    /// All names.
    pub(crate) names: HashSet<&'t str>,
    /// Messages that stay whole.
    messages: Vec<Span>,
    /// Summaries.
    summaries: Vec<&'t str>,
}

impl<'t> Visible<'t> {
    /// What entries show that stay in view, and summaries that were just written.
    pub(crate) fn of(entries: &[&'t Entry], written: &'t [String]) -> Self {
        let mut visible = Self::default();
        for entry in entries {
            entry.message.content.iter().for_each(|block| visible.add(block));
            match entry.kind {
                EntryKind::Summary => visible.summaries.extend(entry.own_texts()),
                _ => visible.messages.push(entry.span),
            }
        }
        for text in written {
            visible.names.extend(names(text));
            visible.summaries.push(text);
        }
        visible
    }

    /// Returns true if a value of this record is visible with its key.
    pub(crate) fn has_pair(&self, key: &str, value: &str, at: Seq) -> bool {
        self.messages.iter().any(|span| span.first <= at && at <= span.last)
            || self.summaries.iter().any(|text| has_pair(text, key, value))
    }

    fn add(&mut self, block: &'t ContentBlock) {
        match block {
            ContentBlock::Text { text } => self.names.extend(names(text)),
            ContentBlock::ToolCall(call) => {
                strings(&call.input).for_each(|text| self.names.extend(names(text)));
            }
            ContentBlock::ToolResult(result) => self.names.extend(names(&result.content)),
            ContentBlock::Thinking(_) | ContentBlock::Image(_) => {}
        }
    }
}

/// Returns true if a text has a value close behind its key.
pub(crate) fn has_pair(text: &str, key: &str, value: &str) -> bool {
    /// Bytes between a key and its value.
    const REACH: usize = 8;
    text.match_indices(key).any(|(at, _)| {
        let behind = text.get(at + key.len()..).unwrap_or_default();
        cut_end(behind, REACH + value.len()).contains(value)
    })
}

#[cfg(test)]
mod tests;
