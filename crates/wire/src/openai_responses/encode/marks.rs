//! Cache breakpoints on the wire of the Responses API (OpenAI documentation, "Prompt caching").

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{CacheBreakpoint, Place};

use crate::form::text::has_text;

/// Breakpoints that one request writes.
const WRITTEN: usize = 4;

/// The breakpoints of a request that go onto the wire: the latest ones, in its order.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks(Vec<Place>);

impl Marks {
    pub(super) fn new(breakpoints: &[CacheBreakpoint]) -> Self {
        let places = breakpoints.iter().map(|marker| marker.place);
        let mut places: Vec<Place> = places.filter(|place| !matches!(place, Place::Tool(_))).collect();
        places.sort_unstable();
        places.dedup();
        Self(places.split_off(places.len().saturating_sub(WRITTEN)))
    }

    pub(super) fn has(&self, place: Place) -> bool {
        self.0.contains(&place)
    }

    /// The system prompt as a message of the developer, a part for each section; `None` without text.
    pub(super) fn system(&self, request: &CompletionRequest) -> Option<Value> {
        let mut parts: Vec<Value> = Vec::new();
        for (index, section) in request.system.iter().enumerate() {
            if has_text(&section.text) {
                parts.push(json!({"type": "input_text", "text": section.text}));
            }
            if self.has(Place::Section(index)) {
                parts.last_mut().into_iter().for_each(mark);
            }
        }
        (!parts.is_empty()).then(|| json!({"type": "message", "role": "developer", "content": parts}))
    }
}

/// Marks the last part of these items that can carry a breakpoint.
pub(super) fn mark_last(items: &mut [Value]) {
    let parts = items.iter_mut().rev().flat_map(|item| {
        let field = if item.get("output").is_some() { "output" } else { "content" };
        item.get_mut(field).and_then(Value::as_array_mut).into_iter().flat_map(|parts| parts.iter_mut().rev())
    });
    parts.filter(|part| carries(part)).take(1).for_each(mark);
}

pub(super) fn mark(part: &mut Value) {
    if let Value::Object(fields) = part {
        fields.insert("prompt_cache_breakpoint".to_owned(), json!({"mode": "explicit"}));
    }
}

/// Parts of the input do, the model's own do not.
fn carries(part: &Value) -> bool {
    part.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("input_"))
}
