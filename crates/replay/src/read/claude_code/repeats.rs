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
    is_after_compaction: bool,
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
        self.is_after_compaction = true;
        self.compacted_at = time(boundary, "timestamp");
        self.joined.clear();
    }

    /// An answer of a model ends them.
    pub(super) fn end(&mut self) {
        self.is_after_compaction = false;
        self.joined.clear();
    }

    /// Returns true if a line of the user only repeats what is in the file before a compaction. What the user types has its source;
    /// so has a copy of it, with the time of the original.
    pub(super) fn has(&mut self, line: &Value, message: &Value) -> bool {
        let is_earlier = time(line, "timestamp").zip(self.compacted_at).is_some_and(|(at, cut)| at < cut);
        if line.get("promptSource").is_some() && !is_earlier {
            self.is_after_compaction = false;
        }
        let blocks = list(message, "content");
        let results: Vec<&str> = blocks.iter().filter_map(|block| text_of(block, "tool_use_id")).collect();
        if results.is_empty() {
            return self.has_text(message);
        }
        let known = results.iter().filter(|id| !self.results.insert((**id).to_owned())).count();
        self.is_after_compaction && known == results.len()
    }

    fn has_text(&mut self, message: &Value) -> bool {
        let text = said(message);
        if has_context(&text) {
            return false;
        }
        let is_known = !self.texts.insert(row_text(&text));
        if self.is_after_compaction && is_known {
            return true;
        }
        self.new_texts += usize::from(self.is_after_compaction && !is_agent_note(&text));
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
