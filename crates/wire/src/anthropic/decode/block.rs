//! A block of an answer while it comes in.

use serde_json::Value;
use throughline_conversation::{ContentBlock, Thinking};

use crate::stream::tool_input;

/// A block that has begun and not stopped.
#[derive(Debug)]
pub(super) enum OpenBlock {
    Text {
        text: String,
        citations: Vec<Value>,
    },
    Thinking(Thinking),
    ToolUse {
        id: String,
        name: String,
        given: Value,
        written: String,
    },
    /// An item of the provider's own tools.
    Item {
        item: Value,
        written: String,
    },
}

/// A block that has stopped.
#[derive(Debug)]
pub(super) enum Finished {
    /// A piece of a text, with what it cites.
    Text {
        text: String,
        citations: Vec<Value>,
    },
    /// An item of the provider's own tools.
    Item(Value),
    /// A call; its id is empty if the server gave none.
    Call {
        id: String,
        name: String,
        arguments: Value,
    },
    Block(ContentBlock),
}

/// The event of a block's delta.
#[derive(Debug)]
pub(super) enum Delta {
    Text(String),
    Thinking(String),
    /// It belongs to the block, but there is nothing to show.
    Silent,
}

impl OpenBlock {
    /// A block and what it begins with; `None` for a kind that is not known.
    pub(super) fn start(block: &Value) -> Option<(Self, Delta)> {
        let begins = |name: &str| text(block, name).unwrap_or_default();
        match block.get("type")?.as_str()? {
            "text" => {
                let citations = block.get("citations").and_then(Value::as_array).cloned().unwrap_or_default();
                Some((Self::Text { text: begins("text"), citations }, Delta::Text(begins("text"))))
            }
            "thinking" => {
                let signature = text(block, "signature").filter(|signature| !signature.is_empty());
                let thinking = Thinking { text: begins("thinking"), signature, redacted: None };
                Some((Self::Thinking(thinking), Delta::Thinking(begins("thinking"))))
            }
            "redacted_thinking" => {
                let redacted = Some(text(block, "data")?);
                let thinking = Thinking { text: String::new(), signature: None, redacted };
                Some((Self::Thinking(thinking), Delta::Silent))
            }
            "tool_use" => {
                let given = block.get("input").cloned().unwrap_or_default();
                let (id, name) = (begins("id"), begins("name"));
                let call = Self::ToolUse { id, name, given, written: String::new() };
                Some((call, Delta::Silent))
            }
            _ => Some((Self::Item { item: block.clone(), written: String::new() }, Delta::Silent)),
        }
    }

    /// Adds a piece; `None` when the piece is of a kind that is not known for this block.
    pub(super) fn add(&mut self, delta: &Value) -> Option<Delta> {
        match (self, delta.get("type")?.as_str()?) {
            (Self::Text { text: all, .. }, "text_delta") => {
                let more = text(delta, "text")?;
                all.push_str(&more);
                Some(Delta::Text(more))
            }
            (Self::Text { citations, .. }, "citations_delta") => {
                citations.push(delta.get("citation")?.clone());
                Some(Delta::Silent)
            }
            (Self::Thinking(thinking), "thinking_delta") => {
                let more = text(delta, "thinking")?;
                thinking.text.push_str(&more);
                Some(Delta::Thinking(more))
            }
            (Self::Thinking(thinking), "signature_delta") => {
                let more = text(delta, "signature")?;
                thinking.signature.get_or_insert_default().push_str(&more);
                Some(Delta::Silent)
            }
            (Self::ToolUse { written, .. } | Self::Item { written, .. }, "input_json_delta") => {
                written.push_str(&text(delta, "partial_json")?);
                Some(Delta::Silent)
            }
            // The fields come whole: the summary, and what must go back with it.
            (Self::Item { item: Value::Object(item), .. }, "compaction_delta") => {
                let fields =
                    delta.as_object()?.iter().filter(|(name, value)| *name != "type" && !value.is_null());
                item.extend(fields.map(|(name, value)| (name.clone(), value.clone())));
                Some(Delta::Silent)
            }
            _ => None,
        }
    }

    /// The block so far.
    pub(super) fn finish(self) -> Finished {
        let block = match self {
            Self::Text { text, citations } => return Finished::Text { text, citations },
            Self::Thinking(thinking) => ContentBlock::Thinking(thinking),
            Self::ToolUse { id, name, given, written } => {
                // Gateways that do not stream arguments give them at once, at the start of the block.
                let arguments = if written.trim().is_empty() { given } else { Value::String(written) };
                return Finished::Call { id, name, arguments };
            }
            Self::Item { mut item, written } => {
                if let Some(fields) = item.as_object_mut().filter(|_| !written.trim().is_empty()) {
                    fields.insert("input".to_owned(), tool_input::first(&written));
                }
                return Finished::Item(item);
            }
        };
        Finished::Block(block)
    }
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().map(str::to_owned)
}
