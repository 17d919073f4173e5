//! The conversation as its summary is asked for: complete and in an order that every model takes.

use std::collections::HashSet;
use std::sync::Arc;

use throughline_conversation::{ContentBlock, Entry, EntryKind, Message, ToolResult};

/// What answers a call that has no result.
const NO_RESPONSE: &str = "Tool no response";
/// What the model says after results, before it is asked for a summary.
const UNDERSTOOD: &str = "Understood.";

/// A copy in which every call has a result and results have an answer.
pub(super) fn cleaned(entries: &[Entry]) -> Vec<Entry> {
    let mut clean: Vec<Entry> = Vec::with_capacity(entries.len() + 1);
    for (index, entry) in entries.iter().enumerate() {
        clean.push(entry.clone());
        let next = entries.get(index + 1).filter(|next| next.kind == EntryKind::Results);
        if next.is_none() {
            add_results(&mut clean, entry, entry.message.tool_calls().map(|call| call.id.clone()));
        }
        if entry.kind == EntryKind::Results {
            complete(&mut clean, index.checked_sub(1).and_then(|before| entries.get(before)));
        }
    }
    if let Some(last) = clean.last().filter(|last| last.kind == EntryKind::Results) {
        let message = Arc::new(Message::assistant(UNDERSTOOD));
        clean.push(Entry { kind: EntryKind::Assistant, message, tokens: 0, ..last.clone() });
    }
    clean
}

/// Adds a message of results for calls that have none at all.
fn add_results(clean: &mut Vec<Entry>, entry: &Entry, ids: impl Iterator<Item = String>) {
    let results: Vec<ToolResult> = ids.map(|id| ToolResult::text(id, NO_RESPONSE)).collect();
    if !results.is_empty() {
        let message = Arc::new(Message::results(results));
        clean.push(Entry { kind: EntryKind::Results, message, tokens: 0, ..entry.clone() });
    }
}

/// Adds what is missing to the newest message, which answers the calls of `before`. Results of one message stand side
/// by side.
fn complete(clean: &mut [Entry], before: Option<&Entry>) {
    let (Some(before), Some(last)) = (before, clean.last_mut()) else { return };
    let answered: HashSet<&str> = last.message.tool_results().map(|result| result.call_id.as_str()).collect();
    let missing: Vec<String> = before
        .message
        .tool_calls()
        .filter(|call| !answered.contains(call.id.as_str()))
        .map(|call| call.id.clone())
        .collect();
    if missing.is_empty() {
        return;
    }
    let mut message = last.message.as_ref().clone();
    let results = message.content.iter().take_while(|block| matches!(block, ContentBlock::ToolResult(_)));
    let at = results.count();
    let added = missing.into_iter().map(|id| ContentBlock::ToolResult(ToolResult::text(id, NO_RESPONSE)));
    message.content.splice(at..at, added);
    last.message = Arc::new(message);
}
