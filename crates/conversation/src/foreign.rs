//! Converts messages for a model of another provider.

use std::sync::Arc;

use throughline_text::cut_end;

use crate::message::{ContentBlock, Message, ToolCall, ToolResult};
use crate::origin::{ForeignTools, Origin, TargetModel};
use crate::tokens::TokenCounter;
use crate::transcript::{Entry, EntryKind};

/// Maximum bytes of a call's arguments in a digest. Longer ones are written files, which exist on disk.
const MOST_ARGUMENTS: usize = 1_000;
/// Replaces calls and results that the target model is not shown.
const WITHHELD: &str = "[Tool calls of another provider are left out here.]";

/// Converts each entry for the target model; `None` if none of them changes.
pub(crate) fn shown(
    entries: &[Entry],
    reader: &TargetModel,
    counter: &dyn TokenCounter,
) -> Option<Vec<Entry>> {
    let mut changed = false;
    let mut before = None;
    let mut list = Vec::with_capacity(entries.len());
    for entry in entries {
        let other = entry_for(entry, before, reader, counter);
        changed |= other.is_some();
        list.push(other.unwrap_or_else(|| entry.clone()));
        before = Some(entry);
    }
    changed.then_some(list)
}

/// Converts an entry for the target model; `None` if it does not change. `before` is the preceding entry in native
/// form: a result is rendered with its call.
pub(crate) fn entry_for(
    entry: &Entry,
    before: Option<&Entry>,
    reader: &TargetModel,
    counter: &dyn TokenCounter,
) -> Option<Entry> {
    let origin = entry.origin.as_deref()?;
    let message = match entry.kind {
        EntryKind::Assistant if is_foreign(origin, reader) => said(&entry.message, reader.foreign),
        // An opaque item of a provider's compaction is for its own model too.
        EntryKind::Assistant | EntryKind::Summary
            if *origin != *reader.origin
                || reader.thinking_from.is_some_and(|from| entry.span.first < from) =>
        {
            without_thinking(&entry.message)?
        }
        EntryKind::Results if is_foreign(origin, reader) => {
            results(&entry.message, before.map(|entry| entry.message.as_ref()), reader.foreign)
        }
        _ => return None,
    };
    let tokens = counter.message(&message);
    Some(Entry { message: Arc::new(message), tokens, ..entry.clone() })
}

fn is_foreign(origin: &Origin, reader: &TargetModel) -> bool {
    !origin.shares_tools_with(&reader.origin)
}

/// Thinking is bound to the model that thought it, even at one provider.
fn without_thinking(message: &Message) -> Option<Message> {
    let thinks = |block: &ContentBlock| matches!(block, ContentBlock::Thinking(_));
    if !message.content.iter().any(thinks) {
        return None;
    }
    let content = message.content.iter().filter(|block| !thinks(block)).cloned().collect();
    Some(Message { role: message.role, content })
}

fn said(message: &Message, foreign: ForeignTools) -> Message {
    let plain = |block: &&ContentBlock| matches!(block, ContentBlock::Text { .. } | ContentBlock::Image(_));
    let mut content: Vec<ContentBlock> = message.content.iter().filter(plain).cloned().collect();
    if content.is_empty() {
        content.push(ContentBlock::Text { text: call_summary(message, foreign) });
    }
    Message { role: message.role, content }
}

/// The text that replaces a message of tool calls only.
fn call_summary(message: &Message, foreign: ForeignTools) -> String {
    if foreign == ForeignTools::Isolate {
        return WITHHELD.to_owned();
    }
    let names: Vec<&str> = message.tool_calls().map(|call| call.name.as_str()).collect();
    format!("[Worked with tools: {}.]", names.join(", "))
}

fn results(message: &Message, calls: Option<&Message>, foreign: ForeignTools) -> Message {
    let mut content = Vec::new();
    for block in &message.content {
        match block {
            ContentBlock::ToolResult(result) if foreign == ForeignTools::Digest => {
                let call = calls.and_then(|calls| calls.tool_calls().find(|call| call.id == result.call_id));
                content.push(ContentBlock::Text { text: digest(call, result) });
                content.extend(result.images.iter().cloned().map(ContentBlock::Image));
            }
            ContentBlock::ToolResult(_) => {}
            other => content.push(other.clone()),
        }
    }
    if content.is_empty() {
        content.push(ContentBlock::Text { text: WITHHELD.to_owned() });
    }
    Message { role: message.role, content }
}

/// One call and its result as plain text. The result is complete: one that was too long was offloaded before it was
/// logged.
fn digest(call: Option<&ToolCall>, result: &ToolResult) -> String {
    let verb = if result.is_error { "failed" } else { "answered" };
    let head = match call {
        Some(call) => {
            let input = call.input.to_string();
            let shown = cut_end(&input, MOST_ARGUMENTS);
            let more = if shown.len() < input.len() { " …" } else { "" };
            format!("[Tool {} with {shown}{more} {verb}:]", call.name)
        }
        None => format!("[A tool {verb}:]"),
    };
    if result.content.trim().is_empty() { head } else { format!("{head}\n{}", result.content) }
}
