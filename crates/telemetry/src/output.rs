//! An answer of a model as it streams, in the form that the conventions give messages.

use opentelemetry::KeyValue;
use serde_json::{Value, json};
use throughline_text::cut_end;

use crate::names::OUTPUT_MESSAGES;
use crate::spans::TEXT;

/// The texts and calls of an answer, if texts are sent.
#[derive(Debug, Default)]
pub(crate) struct Output {
    text: String,
    thinking: String,
    /// Its calls of tools, as parts of the message.
    calls: Vec<Value>,
    /// Why the model stopped.
    stop: Option<String>,
}

impl Output {
    pub(crate) fn hear(&mut self, text: &str) {
        push(&mut self.text, text);
    }

    pub(crate) fn think(&mut self, thinking: &str) {
        push(&mut self.thinking, thinking);
    }

    /// Adds a call of a tool. Arguments that are too long for an attribute are the start of their text.
    pub(crate) fn call(&mut self, id: &str, name: &str, arguments: &Value) {
        let text = arguments.to_string();
        let start = cut_end(&text, TEXT);
        let arguments = if start.len() == text.len() { arguments.clone() } else { json!(start) };
        self.calls.push(json!({ "type": "tool_call", "id": id, "name": name, "arguments": arguments }));
    }

    pub(crate) fn stop(&mut self, stop: &str) {
        self.stop = Some(stop.to_owned());
    }

    /// Returns true if the model has said and called nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.thinking.is_empty() && self.calls.is_empty()
    }

    /// Returns true if the model has said more than thoughts.
    pub(crate) fn has_text(&self) -> bool {
        !self.text.is_empty()
    }

    /// The attribute with the message. An answer that did not end has the reason `error`.
    pub(crate) fn message(&self) -> KeyValue {
        let parts = [("reasoning", &self.thinking), ("text", &self.text)];
        let parts: Vec<_> = parts
            .into_iter()
            .filter(|(_, content)| !content.is_empty())
            .map(|(kind, content)| json!({ "type": kind, "content": cut_end(content, TEXT) }))
            .chain(self.calls.iter().cloned())
            .collect();
        let stop = self.stop.as_deref().map_or("error", finish_reason);
        let message = json!([{ "role": "assistant", "parts": parts, "finish_reason": stop }]);
        KeyValue::new(OUTPUT_MESSAGES, message.to_string())
    }
}

fn push(text: &mut String, piece: &str) {
    if text.len() < TEXT {
        text.push_str(piece);
    }
}

/// The word of the conventions for why a model stopped; a reason that they do not have is itself.
fn finish_reason(stop: &str) -> &str {
    match stop {
        "end_turn" | "stop_sequence" => "stop",
        "max_tokens" => "length",
        "tool_use" => "tool_call",
        "refusal" => "content_filter",
        other => other,
    }
}
