//! The messages in the form of the API: consecutive messages of one side are one turn.

use serde_json::Value;

use crate::validate::body::{Faults, text};
use crate::validate::fault::Alternation;

/// All messages of one role in a row.
#[derive(Debug)]
pub(super) struct RoleRun<'a> {
    /// Index of its first message.
    pub(super) index: usize,
    /// `user` or `assistant`.
    pub(super) role: &'a str,
    /// Its blocks, in order.
    pub(super) blocks: Vec<Block<'a>>,
}

/// A block and its position.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) path: String,
    /// Its type; `text` for a content that is a bare string, empty for a block without a type.
    pub(super) kind: &'a str,
    /// The block, or the bare string.
    pub(super) value: &'a Value,
}

impl<'a> Block<'a> {
    /// The text of a text block.
    pub(super) fn text(&self) -> Option<&'a str> {
        self.value.as_str().or_else(|| text(self.value, "text"))
    }

    pub(super) fn is_thinking(&self) -> bool {
        matches!(self.kind, "thinking" | "redacted_thinking")
    }
}

/// Reads the messages and checks how they follow each other.
pub(super) fn read<'a>(body: &'a Value, alternation: Alternation, faults: &mut Faults) -> Vec<RoleRun<'a>> {
    let Some(messages) = body.get("messages").and_then(Value::as_array) else {
        faults.add("messages", "Field required");
        return Vec::new();
    };
    faults.unless(!messages.is_empty(), "messages", "at least one message is required");
    let mut turns: Vec<RoleRun<'a>> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = text(message, "role").unwrap_or_default();
        if role != "user" && role != "assistant" {
            faults.add(format!("messages.{index}.role"), format!("Unexpected role {role:?}"));
        }
        let blocks = read_blocks(index, message);
        if blocks.is_empty() {
            let rule =
                "all messages must have non-empty content except for the optional final assistant message";
            faults.add(format!("messages.{index}"), rule);
        }
        match turns.last_mut() {
            Some(turn) if turn.role == role => {
                if alternation == Alternation::Strict {
                    let rule = "roles must alternate between \"user\" and \"assistant\", but found multiple";
                    faults.add(format!("messages.{index}"), format!("{rule} {role:?} roles in a row"));
                }
                turn.blocks.extend(blocks);
            }
            _ => turns.push(RoleRun { index, role, blocks }),
        }
    }
    let starts = turns.first().is_none_or(|turn| turn.role != "assistant");
    faults.unless(starts, "messages", "first message must use the \"user\" role");
    turns
}

/// Checks who speaks last. A conversation that is to be compacted may end with either side.
pub(super) fn check_end(turns: &[RoleRun<'_>], faults: &mut Faults) {
    let ends = turns.last().is_none_or(|turn| turn.role != "assistant");
    let prefill = "This model does not support assistant message prefill. \
                   The conversation must end with a user message.";
    faults.unless(ends, "messages", prefill);
}

fn read_blocks(index: usize, message: &Value) -> Vec<Block<'_>> {
    match message.get("content") {
        Some(Value::Array(blocks)) => blocks
            .iter()
            .enumerate()
            .map(|(at, value)| {
                let path = format!("messages.{index}.content.{at}");
                Block { path, kind: text(value, "type").unwrap_or_default(), value }
            })
            .collect(),
        Some(value @ Value::String(text)) if !text.is_empty() => {
            vec![Block { path: format!("messages.{index}.content"), kind: "text", value }]
        }
        _ => Vec::new(),
    }
}
