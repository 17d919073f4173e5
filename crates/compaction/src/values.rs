//! The values that a session's short results gave: a list that summaries hand on.

use std::collections::HashMap;

use throughline_conversation::{ContentBlock, Entry, EntryKind, ToolCall};
use throughline_ledger::section;

use crate::value::value_of;

/// The heading in a summary.
pub(crate) const VALUES: &str = "Values";

/// More are not remembered; the oldest leave first.
const MAX_LINES: usize = 2_000;

/// Lines `key=value`, in the order in which they were last met.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values {
    lines: Vec<(String, String)>,
    open: HashMap<String, ToolCall>,
}

impl Values {
    /// Notes what an entry says. Lines of an earlier summary are read back.
    pub(crate) fn note(&mut self, entry: &Entry) {
        if entry.kind == EntryKind::Summary {
            entry.message.texts().for_each(|text| self.merge(text));
            return;
        }
        for block in &entry.message.content {
            match block {
                ContentBlock::ToolCall(call) => {
                    self.open.insert(call.id.clone(), call.clone());
                }
                ContentBlock::ToolResult(result) => {
                    let call = self.open.remove(&result.call_id);
                    if let Some((key, value)) = call.and_then(|call| value_of(&call, result)) {
                        self.put(key, value);
                    }
                }
                _ => {}
            }
        }
    }

    /// The newest lines that are not shown elsewhere, within this many bytes; oldest first. `shown` looks for a value.
    pub(crate) fn render(&self, shown: impl Fn(&str) -> bool, bytes: usize) -> String {
        let mut left = bytes;
        let mut chosen = Vec::new();
        for (key, value) in self.lines.iter().rev().filter(|(_, value)| !shown(value)) {
            let line = format!("- {key}={value}");
            if line.len() + 1 > left {
                break;
            }
            left -= line.len() + 1;
            chosen.push(line);
        }
        chosen.reverse();
        chosen.join("\n")
    }

    fn merge(&mut self, summary: &str) {
        let lines = section(summary, VALUES).unwrap_or_default().lines();
        let pairs = lines.filter_map(|line| line.strip_prefix("- ")?.split_once('='));
        let pairs: Vec<_> = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        pairs.into_iter().for_each(|(key, value)| self.put(key, value));
    }

    fn put(&mut self, key: String, value: String) {
        self.lines.retain(|(old, _)| *old != key);
        self.lines.push((key, value));
        if self.lines.len() > MAX_LINES {
            self.lines.remove(0);
        }
    }
}

#[cfg(test)]
mod tests;
