//! Tool results in view, and what stands in their place.

use std::collections::HashMap;

use throughline_conversation::{ContentBlock, Entry, ResultRef, Seq, ToolCall, ToolResult};

use crate::Draft;
use crate::reference::{Reference, of_shown, of_truncated};

/// A result with the call that it answers, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer<'t> {
    /// Index of its entry.
    pub(super) entry: usize,
    /// Record of its message.
    pub(super) record: Seq,
    /// Index of its block within the message.
    pub(super) part: usize,
    pub(super) call: &'t ToolCall,
    pub(super) result: &'t ToolResult,
}

/// The results of entries, oldest first. One with pictures is left out: a text cannot stand for it.
pub(super) fn answers(entries: &[Entry]) -> Vec<Answer<'_>> {
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
                        found.push(Answer { entry: index, record: entry.span.first, part, call, result });
                    }
                }
                _ => {}
            }
        }
    }
    found
}

impl Answer<'_> {
    /// Where all of the result is: where it was put before, or in the draft from now on.
    pub(super) fn keep(&self, draft: &mut Draft<'_>) -> Reference {
        let text = &self.result.content;
        let cut = || of_truncated(text).map(|(head, stored)| Reference { stored, bytes: head.len() as u64 });
        of_shown(text).or_else(cut).unwrap_or_else(|| Reference {
            stored: draft.keep(&self.call.name, text.as_bytes()),
            bytes: text.len() as u64,
        })
    }
}

/// A reference that stands for any other when only the length of a text counts.
pub(super) fn any_reference() -> ResultRef {
    ResultRef::from_text("r-0000000000000000")
}
