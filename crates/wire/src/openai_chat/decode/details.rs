//! Reasoning in parts, as gateways send it next to the text: summaries, signed text, sealed data (OpenRouter
//! documentation, "Preserving reasoning").

use serde_json::{Map, Value};
use throughline_completion::CompletionEvent;

use crate::form::native::native;
use crate::openai::native::DETAILS;
use crate::stream::answer::AnswerEvents;

/// Fields that come in pieces.
const GROWING: [&str; 2] = ["text", "summary"];

/// The parts of one answer, in order.
#[derive(Debug, Default)]
pub(super) struct Details(Vec<Map<String, Value>>);

impl Details {
    /// Adds the pieces of a delta. A signature is one of the whole text, so the pieces of a part must become one again.
    pub(super) fn add(&mut self, pieces: &Value) {
        for piece in pieces.as_array().into_iter().flatten().filter_map(Value::as_object) {
            match self.0.last_mut().filter(|part| continues(part, piece)) {
                Some(part) => grow(part, piece),
                None => self.0.push(piece.clone()),
            }
        }
    }

    /// Emits all parts as one block.
    pub(super) fn finish(&mut self, answer: &mut AnswerEvents) {
        let parts: Vec<Value> = std::mem::take(&mut self.0).into_iter().map(Value::Object).collect();
        if !parts.is_empty() {
            answer.event(CompletionEvent::Block(native(DETAILS, &Value::Array(parts))));
        }
    }
}

/// Returns true if a piece belongs to the part. Sealed data comes whole.
fn continues(part: &Map<String, Value>, piece: &Map<String, Value>) -> bool {
    let set = |of: &'_ Map<String, Value>, name: &str| of.get(name).filter(|value| !value.is_null()).cloned();
    let same = |name: &str| set(part, name) == set(piece, name);
    let either = |name: &str| set(part, name).is_none() || set(piece, name).is_none() || same(name);
    same("type") && same("index") && either("id") && [part, piece].iter().all(|of| set(of, "data").is_none())
}

fn grow(part: &mut Map<String, Value>, piece: &Map<String, Value>) {
    for (name, more) in piece.iter().filter(|(_, more)| !more.is_null()) {
        match (part.get_mut(name), more) {
            (Some(Value::String(text)), Value::String(more)) if GROWING.contains(&name.as_str()) => {
                text.push_str(more);
            }
            (Some(Value::Null) | None, _) => {
                part.insert(name.clone(), more.clone());
            }
            (Some(value), _) if name == "signature" => *value = more.clone(),
            _ => {}
        }
    }
}
