//! Finds one item of a message that a user hides from the model, or shows again.

use throughline_conversation::{ContentBlock, DroppedItem, ExchangeId, Mark, Record, RecordBody, Seq};

use crate::error::GroupError;
use crate::listing::marks;

/// An item that can be dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its exchange.
    pub exchange: ExchangeId,
    /// The record of its message.
    pub message: Seq,
    /// The index of its block.
    pub part: usize,
    /// What it holds.
    pub content: ItemContent,
}

/// The content of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemContent {
    /// The result of a call.
    Result {
        /// The tool.
        tool: String,
        /// The text.
        text: String,
    },
    /// A picture of the user.
    Picture,
}

/// The item of this part of a message, to be dropped.
///
/// # Errors
/// [`GroupError`] if there is no such part, it is neither a result nor a picture, or it is dropped or pinned.
pub fn item_to_drop(records: &[Record], message: Seq, part: usize) -> Result<Item, GroupError> {
    let item = item(records, message, part)?;
    if is_dropped(records, message, part) {
        return Err(GroupError::Item("it is dropped already; `restore` shows it again".to_owned()));
    }
    if marks(records).pinned_texts().any(|pinned| pinned.message == message) {
        return Err(GroupError::Item("a text of this message is pinned; unpin it first".to_owned()));
    }
    Ok(item)
}

/// The mark that shows a dropped item again.
///
/// # Errors
/// [`GroupError`] if there is no such part, or it is not dropped.
pub fn restore_item(records: &[Record], message: Seq, part: usize) -> Result<Mark, GroupError> {
    let item = item(records, message, part)?;
    if !is_dropped(records, message, part) {
        return Err(GroupError::Item("it is not dropped; there is nothing to restore".to_owned()));
    }
    let Item { exchange, .. } = item;
    Ok(Mark::Item(DroppedItem { exchange, message, part, shown: None, stored: None }))
}

fn item(records: &[Record], message: Seq, part: usize) -> Result<Item, GroupError> {
    let none = || GroupError::Item("no message has this id; `messages show` prints the ids".to_owned());
    let record = records.iter().find(|record| record.seq == message).ok_or_else(none)?;
    let RecordBody::Message(said) = &record.body else { return Err(none()) };
    let content = match said.message.content.get(part).ok_or_else(none)? {
        ContentBlock::ToolResult(result) => ItemContent::Result {
            tool: tool(records, &result.call_id).unwrap_or_default(),
            text: result.content.clone(),
        },
        ContentBlock::Image(_) => ItemContent::Picture,
        _ => {
            let why =
                "only the result of a call or a picture can be dropped alone; `drop TURN` hides a whole turn";
            return Err(GroupError::Item(why.to_owned()));
        }
    };
    Ok(Item { exchange: record.exchange, message, part, content })
}

fn tool(records: &[Record], call: &str) -> Option<String> {
    let calls = records.iter().rev().filter_map(|record| match &record.body {
        RecordBody::Message(said) => Some(said.message.tool_calls()),
        _ => None,
    });
    calls.flatten().find(|made| made.id == call).map(|made| made.name.clone())
}

fn is_dropped(records: &[Record], message: Seq, part: usize) -> bool {
    let last = records.iter().rev().find_map(|record| match &record.body {
        RecordBody::Mark(Mark::Item(item)) if item.message == message && item.part == part => Some(item),
        _ => None,
    });
    last.is_some_and(|item| item.shown.is_some())
}

#[cfg(test)]
mod tests;
