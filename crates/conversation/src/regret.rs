//! What was needed of content that a compaction had removed.

use serde::{Deserialize, Serialize};

use crate::ids::Seq;

/// What one answer used of the content that one compaction had removed from view.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RegretReceipt {
    /// The record of the compaction's edit.
    pub edit: Seq,
    /// Names in the arguments of its calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Lines that its edits quote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// Files that it read again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What it read back: a reference, or the name of the tool that found it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_back: Vec<String>,
    /// The price of the step that fetches it again, in tokens of uncached input.
    pub price: f64,
}

impl RegretReceipt {
    /// Removes what it quotes. The price stays.
    pub fn forget_texts(&mut self) {
        for texts in [&mut self.names, &mut self.lines, &mut self.files, &mut self.read_back] {
            texts.clear();
        }
    }
}
