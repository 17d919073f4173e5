//! Rows that a plugin has put in place of a conversation: what it repeats of it is in the file already.

use std::collections::HashSet;

use serde_json::Value;
use throughline_conversation::{Millis, has_context, is_agent_note};
use throughline_text::fingerprint;

use super::super::content::{list, owned, text_of, time};

/// What the lines so far have said, and if a compaction has just been made.
#[derive(Default)]
pub(super) struct RepeatedRows {
    /// Fingerprints of the user's texts, and of those that a row joins.
    texts: HashSet<u64>,
    results: HashSet<String>,
    /// What the user has said since the last answer.
    joined: String,
    /// A compaction has been made since the last answer: a result that is known is a copy.
    is_after_compaction: bool,
    /// Rows of a plugin may follow: a text that is known is one of them.
    has_rows: bool,
    /// When the compaction was made.
    compacted_at: Option<Millis>,
    /// Texts after a compaction that nothing before it has.
    pub(super) new_texts: usize,
}

impl RepeatedRows {
    /// The texts and results before the lines.
    pub(super) fn behind(texts: &[u64], results: &[String]) -> Self {
        let (texts, results) = (texts.iter().copied().collect(), results.iter().cloned().collect());
        Self { texts, results, ..Self::default() }
    }

    /// A compaction begins the rows.
    pub(super) fn begin(&mut self, boundary: &Value) {
        (self.is_after_compaction, self.has_rows) = (true, true);
        self.compacted_at = time(boundary, "timestamp");
        self.joined.clear();
    }

    /// An answer of a model ends them.
    pub(super) fn end(&mut self) {
        (self.is_after_compaction, self.has_rows) = (false, false);
        self.joined.clear();
    }

    /// The agent has summarized by itself, so there are no rows of a plugin.
    pub(super) fn summarize(&mut self) {
        self.has_rows = false;
    }

    /// Returns true if rows of a plugin may follow.
    pub(super) fn has_rows(&self) -> bool {
        self.has_rows
    }

    /// Returns true if a line of the user only repeats what is in the file before a compaction. Rows are written with the compaction,
    /// at its time or before, and a copy of what the user has typed has the time of the original. What is later is said again.
    pub(super) fn has(&mut self, line: &Value, message: &Value) -> bool {
        let at = time(line, "timestamp").zip(self.compacted_at);
        let is_typed = line.get("promptSource").is_some() && at.is_none_or(|(at, cut)| at >= cut);
        if is_typed || at.is_some_and(|(at, cut)| at > cut) {
            self.has_rows = false;
        }
        let blocks = list(message, "content");
        let results: Vec<&str> = blocks.iter().filter_map(|block| text_of(block, "tool_use_id")).collect();
        if results.is_empty() {
            return self.has_text(message);
        }
        let known = results.iter().filter(|id| !self.results.insert((**id).to_owned())).count();
        self.is_after_compaction && known == results.len()
    }

    /// Returns true if a message is the view that a plugin has put in place of a conversation.
    pub(super) fn is_view(&self, message: &Value) -> bool {
        self.has_rows && has_context(&said(message))
    }

    fn has_text(&mut self, message: &Value) -> bool {
        let text = said(message);
        if has_context(&text) {
            return false;
        }
        let is_known = !self.texts.insert(row_text(&text));
        if self.has_rows && is_known {
            return true;
        }
        self.new_texts += usize::from(self.has_rows && !is_agent_note(&text));
        if !self.joined.is_empty() {
            self.joined.push_str(ROW_TEXTS);
        }
        self.joined.push_str(&text);
        self.texts.insert(row_text(&self.joined));
        false
    }
}

/// What is between two texts of a row that joins them.
pub const ROW_TEXTS: &str = "\n\n";

/// What a message says: its texts, whether they are blocks or not, and all of it where it has something else.
fn said(message: &Value) -> String {
    let blocks = list(message, "content");
    if blocks.is_empty() {
        return owned(message, "content");
    }
    let texts: Option<Vec<&str>> = blocks.iter().map(|block| text_of(block, "text")).collect();
    match texts {
        Some(texts) => texts.join(ROW_TEXTS),
        None => blocks.iter().map(Value::to_string).collect(),
    }
}

/// The fingerprint of a text.
pub(super) fn row_text(text: &str) -> u64 {
    fingerprint(text.as_bytes())
}
