//! The values of a session with their keys: those that the user gave, and those of short results. Summaries hand them on.

mod known;

use std::collections::HashMap;

use throughline_conversation::{ContentBlock, Entry, EntryKind, Seq, TokenCounter, ToolCall};
use throughline_ledger::section;

use crate::pairs::pairs;
use crate::value::{pairs_of, value_of};
use known::{Known, Weight};

/// The heading of values of results in a summary.
pub(crate) const VALUES: &str = "Values";
/// The heading of values that the user gave.
pub(crate) const GIVEN: &str = "Values from the user";

/// Lines `key=value`, the newest value of each key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values {
    given: Known,
    found: Known,
    open: HashMap<String, ToolCall>,
}

impl Values {
    /// Notes what an entry says. Lines of an earlier summary are read back.
    pub(crate) fn note(&mut self, entry: &Entry) {
        let at = entry.span.last;
        match entry.kind {
            EntryKind::Summary => entry.message.texts().for_each(|text| self.merge(text, at)),
            EntryKind::User => {
                let pairs = entry.message.texts().flat_map(pairs);
                pairs.for_each(|pair| self.given.put(pair.key, pair.value, Weight::Sure, at));
            }
            EntryKind::Assistant | EntryKind::Results | EntryKind::Notice => {
                entry.message.content.iter().for_each(|block| self.note_block(block, at));
            }
        }
    }

    fn note_block(&mut self, block: &ContentBlock, at: Seq) {
        match block {
            ContentBlock::ToolCall(call) => {
                self.open.insert(call.id.clone(), call.clone());
            }
            ContentBlock::ToolResult(result) => {
                let Some(call) = self.open.remove(&result.call_id) else { return };
                let pairs = pairs_of(&call, result);
                match value_of(&call, result).filter(|_| pairs.len() < 2) {
                    Some((key, value)) => self.found.put(key, value, Weight::Sure, at),
                    None => pairs
                        .into_iter()
                        .for_each(|(key, value)| self.found.put(key, value, Weight::Likely, at)),
                }
            }
            _ => {}
        }
    }

    /// The tokens that all values take that the user gave and that are not shown elsewhere.
    pub(crate) fn given_tokens(
        &self,
        shown: impl Fn(&str, &str, Seq) -> bool,
        counter: &dyn TokenCounter,
    ) -> u64 {
        self.given.cost(shown, |line| counter.text(line))
    }

    /// The values that the user gave and that are not shown elsewhere, within this many tokens; oldest first. Specific ones
    /// are chosen before others, and short and new ones before long and old ones.
    pub(crate) fn render_given(
        &self,
        shown: impl Fn(&str, &str, Seq) -> bool,
        tokens: u64,
        counter: &dyn TokenCounter,
    ) -> String {
        self.given.render(shown, tokens, |line| counter.text(line))
    }

    /// The values of results that are not shown elsewhere, within this many bytes; oldest first, chosen in the same order.
    pub(crate) fn render_found(&self, shown: impl Fn(&str, &str, Seq) -> bool, bytes: usize) -> String {
        self.found.render(shown, bytes as u64, |line| line.len() as u64)
    }

    /// Returns true if a name is a value, so that it says nothing without its key.
    pub(crate) fn has_value(&self, name: &str) -> bool {
        self.given.has_value(name) || self.found.has_value(name)
    }

    fn merge(&mut self, summary: &str, at: Seq) {
        for (heading, known) in [(GIVEN, &mut self.given), (VALUES, &mut self.found)] {
            for line in section(summary, heading).unwrap_or_default().lines() {
                if let Some((key, value)) = line.strip_prefix("- ").unwrap_or(line).split_once('=') {
                    known.put(key.to_owned(), value.to_owned(), Weight::Sure, at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
