//! Applies an edit to a list of entries.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::ViewError;
use crate::edit::{Action, Edit, SummaryNote};
use crate::group::Groups;
use crate::ids::{ExchangeId, Seq, Span};
use crate::message::{ContentBlock, Message, Thinking};
use crate::origin::Origin;
use crate::tokens::TokenCounter;
use crate::transcript::{Entry, EntryKind};

/// The entries after an edit, which may reach up to the record `last`. Results that `groups` pin as a whole stay.
pub(super) fn edited(
    mut entries: Vec<Entry>,
    edit: &Edit,
    last: Seq,
    groups: &Groups,
    counter: &dyn TokenCounter,
) -> Result<Vec<Entry>, ViewError> {
    let mut inputs = HashMap::new();
    let mut results = HashMap::new();
    for action in &edit.actions {
        match action {
            Action::ReplaceResult { call_id, text, .. } => {
                results.insert(call_id.as_str(), text.as_str());
            }
            Action::ReplaceInput { call_id, input, .. } => {
                inputs.insert(call_id.as_str(), input);
            }
            // A stretch that reaches into the future would swallow records that are still to come.
            Action::Cover { span, .. } if span.last > last => {
                return Err(ViewError::NotWhole(*span));
            }
            Action::Cover { span, summary, note } => {
                let summary = summary.as_deref().map(|text| ShownSummary::of(text, note.as_ref()));
                cover(&mut entries, *span, summary, counter)?;
            }
            Action::ReplacePictures { message, text } => {
                replace_pictures(&mut entries, *message, text, counter)?;
            }
        }
    }
    replace_blocks(&mut entries, inputs, results, groups, counter)?;
    Ok(entries)
}

/// A summary as a message, and the model that alone may read its opaque item.
struct ShownSummary {
    message: Message,
    origin: Option<Arc<Origin>>,
}

impl ShownSummary {
    fn of(text: &str, note: Option<&SummaryNote>) -> Self {
        let mut message = Message::user(text);
        let compacted = note.and_then(|note| note.provider.as_ref());
        let Some((compacted, item)) = compacted.and_then(|one| Some((one, one.item.as_ref()?))) else {
            return Self { message, origin: None };
        };
        message.content.insert(0, ContentBlock::Thinking(Thinking::of_item(item)));
        Self { message, origin: Some(Arc::new(compacted.origin.clone())) }
    }
}

fn cover(
    entries: &mut Vec<Entry>,
    span: Span,
    summary: Option<ShownSummary>,
    counter: &dyn TokenCounter,
) -> Result<(), ViewError> {
    let first = entries.iter().position(|entry| entry.span.meets(span)).ok_or(ViewError::NotWhole(span))?;
    let covered = entries.iter().skip(first).take_while(|entry| entry.span.meets(span));
    let (mut count, mut exchange) = (0, ExchangeId(0));
    for entry in covered {
        if !span.holds(entry.span) {
            return Err(ViewError::NotWhole(span));
        }
        count += 1;
        exchange = entry.exchange;
    }
    let replacement = summary.map(|ShownSummary { message, origin }| {
        let tokens = counter.message(&message);
        Entry { span, exchange, kind: EntryKind::Summary, origin, message: Arc::new(message), tokens }
    });
    entries.splice(first..first + count, replacement);
    Ok(())
}

fn replace_pictures(
    entries: &mut [Entry],
    message: Seq,
    text: &str,
    counter: &dyn TokenCounter,
) -> Result<(), ViewError> {
    let span = Span::one(message);
    let entry = entries.iter_mut().find(|entry| entry.span == span).ok_or(ViewError::NotWhole(span))?;
    let mut message = entry.message.as_ref().clone();
    for block in &mut message.content {
        match block {
            ContentBlock::Image(_) => *block = ContentBlock::Text { text: text.to_owned() },
            ContentBlock::ToolResult(result) if !result.images.is_empty() => {
                result.images.clear();
                if !result.content.is_empty() {
                    result.content.push('\n');
                }
                result.content.push_str(text);
            }
            _ => {}
        }
    }
    entry.tokens = counter.message(&message);
    entry.message = Arc::new(message);
    Ok(())
}

fn replace_blocks(
    entries: &mut [Entry],
    mut inputs: HashMap<&str, &Value>,
    mut results: HashMap<&str, &str>,
    groups: &Groups,
    counter: &dyn TokenCounter,
) -> Result<(), ViewError> {
    for entry in entries.iter_mut() {
        let named = |block: &ContentBlock| match block {
            ContentBlock::ToolCall(call) => inputs.contains_key(call.id.as_str()),
            ContentBlock::ToolResult(result) => results.contains_key(result.call_id.as_str()),
            _ => false,
        };
        if !entry.message.content.iter().any(named) {
            continue;
        }
        let mut message = entry.message.as_ref().clone();
        for block in &mut message.content {
            match block {
                ContentBlock::ToolCall(call) => {
                    if let Some(input) = inputs.remove(call.id.as_str()) {
                        call.input = input.clone();
                    }
                }
                ContentBlock::ToolResult(result) => {
                    if let Some(text) = results.remove(result.call_id.as_str())
                        && !groups.pins_whole(entry.span.first, &result.content)
                    {
                        text.clone_into(&mut result.content);
                        result.images.clear();
                    }
                }
                _ => {}
            }
        }
        entry.tokens = counter.message(&message);
        entry.message = Arc::new(message);
    }
    let left = inputs.into_keys().chain(results.into_keys()).min();
    left.map_or(Ok(()), |id| Err(ViewError::UnknownCall(id.to_owned())))
}
