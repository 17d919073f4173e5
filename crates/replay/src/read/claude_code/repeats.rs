//! Rows that a plugin has put in place of a conversation: what it repeats of it is in the file already.

use std::collections::HashSet;

use serde_json::Value;

use super::super::content::{list, text_of};

/// What the lines so far have said, and if a compaction has just been made.
#[derive(Default)]
pub(super) struct RepeatedRows {
    texts: HashSet<String>,
    results: HashSet<String>,
    is_after_compaction: bool,
}

impl RepeatedRows {
    /// A compaction begins the rows.
    pub(super) fn begin(&mut self) {
        self.is_after_compaction = true;
    }

    /// An answer of a model ends them.
    pub(super) fn end(&mut self) {
        self.is_after_compaction = false;
    }

    /// Returns true if a line of the user only repeats what is in the file before a compaction. What the user types has its source.
    pub(super) fn has(&mut self, line: &Value, message: &Value) -> bool {
        if line.get("promptSource").is_some() {
            self.is_after_compaction = false;
        }
        let blocks = list(message, "content");
        let results: Vec<&str> = blocks.iter().filter_map(|block| text_of(block, "tool_use_id")).collect();
        if results.is_empty() {
            let text = message.get("content").map(Value::to_string).unwrap_or_default();
            return !self.texts.insert(text) && self.is_after_compaction;
        }
        let known = results.iter().filter(|id| !self.results.insert((**id).to_owned())).count();
        self.is_after_compaction && known == results.len()
    }
}
