//! The items of a response.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Thinking, ToolCall};

use super::Events;
use crate::wire::pieces::pieces;
use crate::wire::{Asked, WireAnswer};

/// One item.
#[derive(Debug)]
pub(super) enum Item {
    Message { id: String, text: String },
    Reasoning { id: String, summary: String, encrypted: Option<String> },
    Call { id: String, call_id: String, name: String, arguments: String },
}

/// The items of an answer.
pub(super) fn of(asked: &Asked<'_>, answer: &WireAnswer<'_>) -> Vec<Item> {
    let make = |(index, block): (usize, &ContentBlock)| {
        let id = |prefix: &str| format!("{prefix}{:020}{index:04}", asked.number);
        match block {
            ContentBlock::Text { text } => Some(Item::Message { id: id("msg_"), text: text.clone() }),
            ContentBlock::Thinking(thinking) => Some(reasoning(asked, thinking, id("rs_"))),
            ContentBlock::ToolCall(call) => Some(called(answer, call, id("fc_"))),
            ContentBlock::Image(_) | ContentBlock::ToolResult(_) => None,
        }
    };
    answer.blocks.iter().enumerate().filter_map(make).collect()
}

/// The encrypted content is sent only when it is asked for.
fn reasoning(asked: &Asked<'_>, thinking: &Thinking, id: String) -> Item {
    let include = asked.body.get("include").and_then(Value::as_array);
    let asks = include.into_iter().flatten().any(|name| name == "reasoning.encrypted_content");
    Item::Reasoning {
        id: thinking.signature.clone().unwrap_or(id),
        summary: thinking.text.clone(),
        encrypted: thinking.redacted.clone().filter(|_| asks),
    }
}

fn called(answer: &WireAnswer<'_>, call: &ToolCall, id: String) -> Item {
    Item::Call {
        id,
        call_id: call.id.clone(),
        name: call.name.clone(),
        arguments: answer.arguments(&call.input),
    }
}

impl Item {
    /// The complete item.
    pub(super) fn done(&self) -> Value {
        match self {
            Self::Message { id, text } => message(id, "completed", &[text_part(text)]),
            Self::Reasoning { id, summary, encrypted } => {
                let parts = if summary.is_empty() { Vec::new() } else { vec![summary_part(summary)] };
                thought(id, &parts, encrypted.as_deref())
            }
            Self::Call { id, call_id, name, arguments } => call(id, call_id, name, arguments, "completed"),
        }
    }

    /// The events from its beginning to its end.
    pub(super) fn tell(&self, index: usize, events: &mut Events) {
        let begins = match self {
            Self::Message { id, .. } => message(id, "in_progress", &[]),
            Self::Reasoning { id, encrypted, .. } => thought(id, &[], encrypted.as_deref()),
            Self::Call { id, call_id, name, .. } => call(id, call_id, name, "", "in_progress"),
        };
        events.add("response.output_item.added", json!({"output_index": index, "item": begins}));
        match self {
            Self::Message { id, text } => tell_text(id, index, text, events),
            Self::Reasoning { summary, .. } if summary.is_empty() => {}
            Self::Reasoning { id, summary, .. } => tell_summary(id, index, summary, events),
            Self::Call { id, arguments, .. } => {
                for piece in pieces(arguments) {
                    let fields = json!({"item_id": id, "output_index": index, "delta": piece});
                    events.delta("response.function_call_arguments.delta", fields);
                }
                let fields = json!({"item_id": id, "output_index": index, "arguments": arguments});
                events.add("response.function_call_arguments.done", fields);
            }
        }
        events.add("response.output_item.done", json!({"output_index": index, "item": self.done()}));
    }
}

fn tell_text(id: &str, index: usize, text: &str, events: &mut Events) {
    let part = |part: Value| json!({"item_id": id, "output_index": index, "content_index": 0, "part": part});
    events.add("response.content_part.added", part(text_part("")));
    for piece in pieces(text) {
        let fields =
            json!({"item_id": id, "output_index": index, "content_index": 0, "delta": piece, "logprobs": []});
        events.delta("response.output_text.delta", fields);
    }
    let whole =
        json!({"item_id": id, "output_index": index, "content_index": 0, "text": text, "logprobs": []});
    events.add("response.output_text.done", whole);
    events.add("response.content_part.done", part(text_part(text)));
}

fn tell_summary(id: &str, index: usize, summary: &str, events: &mut Events) {
    let part = |part: Value| json!({"item_id": id, "output_index": index, "summary_index": 0, "part": part});
    events.add("response.reasoning_summary_part.added", part(summary_part("")));
    for piece in pieces(summary) {
        let fields = json!({"item_id": id, "output_index": index, "summary_index": 0, "delta": piece});
        events.delta("response.reasoning_summary_text.delta", fields);
    }
    let whole = json!({"item_id": id, "output_index": index, "summary_index": 0, "text": summary});
    events.add("response.reasoning_summary_text.done", whole);
    events.add("response.reasoning_summary_part.done", part(summary_part(summary)));
}

fn message(id: &str, status: &str, content: &[Value]) -> Value {
    json!({"id": id, "type": "message", "status": status, "role": "assistant", "content": content})
}

fn text_part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

fn thought(id: &str, summary: &[Value], encrypted: Option<&str>) -> Value {
    json!({"id": id, "type": "reasoning", "summary": summary, "encrypted_content": encrypted})
}

fn summary_part(text: &str) -> Value {
    json!({"type": "summary_text", "text": text})
}

fn call(id: &str, call_id: &str, name: &str, arguments: &str, status: &str) -> Value {
    json!({
        "id": id,
        "type": "function_call",
        "status": status,
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
    })
}
