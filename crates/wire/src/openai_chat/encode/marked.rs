//! Anthropic's cache markers on the wire of Chat Completions, as gateways pass them on (LiteLLM and OpenRouter
//! documentation, "Prompt caching"). Content comes as lists of parts, marked or not: a marker that moves on must not
//! change the form of what it leaves.

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{CacheBreakpoint, CacheTtl, Place};

use crate::form::text::has_text;

/// The markers of a request, and those that wait for their message.
#[derive(Debug)]
pub(super) struct Marked {
    breakpoints: Vec<CacheBreakpoint>,
    /// Index of a part of the user's next message, and its marker.
    waiting: Vec<(usize, Value)>,
}

impl Marked {
    pub(super) fn new(request: &CompletionRequest) -> Self {
        Self { breakpoints: request.breakpoints.clone(), waiting: Vec::new() }
    }

    /// The system message; `None` without text. The tools come before it, so a marker on them is covered by its own.
    pub(super) fn system(&self, request: &CompletionRequest) -> Option<Value> {
        let mut parts = Vec::new();
        for (index, section) in request.system.iter().enumerate().filter(|(_, one)| has_text(&one.text)) {
            let mut part = json!({"type": "text", "text": section.text});
            set(&mut part, self.of(Place::Section(index)));
            parts.push(part);
        }
        (!parts.is_empty()).then(|| json!({"role": "system", "content": parts}))
    }

    /// Marks the end of a message of the transcript: the last of the user's `buffered` parts, or else the last part of the
    /// last tool result.
    pub(super) fn mark(&mut self, index: usize, buffered: usize, last: Option<&mut Value>) {
        let Some(control) = self.of(Place::Message(index)) else { return };
        if let Some(part) = buffered.checked_sub(1) {
            self.waiting.push((part, control));
        } else if let Some(message) = last.filter(|message| message.get("role") == Some(&json!("tool"))) {
            let parts = message.get_mut("content").and_then(Value::as_array_mut);
            if let Some(part) = parts.and_then(|parts| parts.last_mut()) {
                set(part, Some(control));
            }
        }
    }

    /// Sets the markers that wait on the parts of the user's message.
    pub(super) fn set(&mut self, message: &mut Value) {
        for (index, control) in std::mem::take(&mut self.waiting) {
            let part = message.get_mut("content").and_then(|parts| parts.get_mut(index));
            part.into_iter().for_each(|part| set(part, Some(control.clone())));
        }
    }

    fn of(&self, place: Place) -> Option<Value> {
        let marker =
            self.breakpoints.iter().filter(|marker| marker.place == place).max_by_key(|one| one.ttl)?;
        Some(match marker.ttl {
            CacheTtl::FiveMinutes => json!({"type": "ephemeral"}),
            CacheTtl::OneHour => json!({"type": "ephemeral", "ttl": "1h"}),
        })
    }
}

fn set(part: &mut Value, control: Option<Value>) {
    if let (Some(control), Value::Object(fields)) = (control, part) {
        fields.insert("cache_control".to_owned(), control);
    }
}
