//! Tool results in view with their calls.

use std::collections::HashMap;

use throughline_conversation::{ContentBlock, Entry, ResultRef, Seq, ToolCall, ToolResult};

use crate::draft::Draft;
use crate::stub::{StoredReference, parse_stub, parse_truncated};

/// A tool result with the call that it answers, and its place in the view.
#[derive(Debug, Clone, Copy)]
pub struct ShownResult<'t> {
    /// Index of its entry.
    pub entry: usize,
    /// Record of its message.
    pub record: Seq,
    /// Index of its block within the message.
    pub part: usize,
    /// The call.
    pub call: &'t ToolCall,
    /// The result.
    pub result: &'t ToolResult,
}

/// The results of entries, oldest first. Results with pictures are left out, because no text can replace those.
#[must_use]
pub fn shown_results(entries: &[Entry]) -> Vec<ShownResult<'_>> {
    let mut calls: HashMap<&str, &ToolCall> = HashMap::new();
    let mut found = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        for (part, block) in entry.message.content.iter().enumerate() {
            match block {
                ContentBlock::ToolCall(call) => {
                    calls.insert(&call.id, call);
                }
                ContentBlock::ToolResult(result) if result.images.is_empty() => {
                    if let Some(call) = calls.remove(result.call_id.as_str()) {
                        let record = entry.span.first;
                        found.push(ShownResult { entry: index, record, part, call, result });
                    }
                }
                _ => {}
            }
        }
    }
    found
}

impl ShownResult<'_> {
    /// The reference of the whole result: that of an earlier stub, or a new one in the draft.
    pub fn store(&self, draft: &mut Draft<'_>) -> StoredReference {
        let text = &self.result.content;
        let cut = || {
            parse_truncated(text).map(|(head, stored)| StoredReference { stored, bytes: head.len() as u64 })
        };
        parse_stub(text).or_else(cut).unwrap_or_else(|| StoredReference {
            stored: draft.keep(&self.call.name, text.as_bytes()),
            bytes: text.len() as u64,
        })
    }
}

/// A reference as long as every other, for measuring a stub before its result is stored.
#[must_use]
pub fn placeholder_reference() -> ResultRef {
    ResultRef::from_text("r-0000000000000000")
}

#[cfg(test)]
mod tests;
