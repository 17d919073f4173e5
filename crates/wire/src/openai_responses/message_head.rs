//! What a message item of the Responses API has next to its text.

use serde_json::{Map, Value, json};
use throughline_conversation::{ContentBlock, Thinking};

use crate::form::native::{native, native_of};

/// The signature of the block that holds it, right before the text.
const MESSAGE: &str = "output_message";

/// Id and phase of a message item. OpenAI asks to send the phase back on every message that has one.
#[derive(Debug, Default)]
pub(super) struct MessageHead {
    id: Option<String>,
    phase: Option<Value>,
}

impl MessageHead {
    /// The block for an item with a phase; a message without one is its text alone.
    pub(super) fn block(item: &Value) -> Option<ContentBlock> {
        let phase = item.get("phase").filter(|phase| phase.is_string())?;
        Some(native(MESSAGE, &json!({"id": item.get("id"), "phase": phase})))
    }

    /// What the block holds; `None` for any other thinking.
    pub(super) fn of(thinking: &Thinking) -> Option<Self> {
        let head = native_of(MESSAGE, thinking)?;
        let id = head.get("id").and_then(Value::as_str).map(str::to_owned);
        Some(Self { id, phase: head.get("phase").cloned() })
    }

    /// The provider's id of the message, where it is of the form that OpenAI's API takes.
    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| id.starts_with("msg"))
    }

    /// The item with these parts and this id: the official types and strict servers want one.
    pub(super) fn message(self, id: &str, parts: Vec<Value>) -> Value {
        let mut item = Map::new();
        item.insert("type".to_owned(), json!("message"));
        item.insert("id".to_owned(), json!(id));
        item.insert("role".to_owned(), json!("assistant"));
        item.insert("status".to_owned(), json!("completed"));
        item.extend(self.phase.map(|phase| ("phase".to_owned(), phase)));
        item.insert("content".to_owned(), Value::Array(parts));
        Value::Object(item)
    }
}
