//! Sources that texts cite (Anthropic documentation, "Web search tool", "Citations").
//!
//! The API splits a text where it cites sources, and wants the pieces back with what they cite. A text is one block here; behind
//! it is a field of the provider with its pieces, as they go back.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Thinking, WebSource};

use crate::form::native::{native, native_of};

/// The name of the field.
const FIELD: &str = "citations";

/// The pieces of a text while it comes in.
#[derive(Debug, Default)]
pub(super) struct CitedText {
    text: String,
    pieces: Vec<Value>,
    sources: Vec<WebSource>,
    cites: bool,
}

/// A text that is complete.
#[derive(Debug)]
pub(super) struct Cited {
    pub(super) text: ContentBlock,
    /// The field with its pieces; `None` if it cites nothing.
    pub(super) field: Option<ContentBlock>,
    /// The pages that it cites.
    pub(super) sources: Vec<WebSource>,
}

impl CitedText {
    /// Adds a piece.
    pub(super) fn push(&mut self, text: &str, citations: &[Value]) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        self.cites |= !citations.is_empty();
        WebSource::add_new(&mut self.sources, citations.iter().filter_map(source));
        self.pieces.push(match citations {
            [] => json!({"type": "text", "text": text}),
            citations => json!({"type": "text", "text": text, "citations": citations}),
        });
    }

    /// Forgets all pieces.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The text so far. Nothing of it stays.
    pub(super) fn take(&mut self) -> Cited {
        let Self { text, pieces, sources, cites } = std::mem::take(self);
        let field = cites.then(|| native(FIELD, &Value::Array(pieces)));
        Cited { text: ContentBlock::Text { text }, field, sources }
    }
}

/// The page that a citation or a result of a search names.
pub(super) fn source(value: &Value) -> Option<WebSource> {
    let field = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(WebSource { url: field("url"), title: field("title") }).filter(|source| !source.url.is_empty())
}

/// Splits the last text of the content into its pieces, with their citations, if the thinking is the field that holds them.
/// Returns true if it is; a text that is not the one that came stays whole.
pub(super) fn cite(thinking: &Thinking, content: &mut Vec<Value>) -> bool {
    let Some(field) = native_of(FIELD, thinking) else { return false };
    let pieces = field.as_array().map(Vec::as_slice).unwrap_or_default();
    let whole: String = pieces.iter().map(said).collect();
    // The API takes no piece of white space alone.
    let all_say = pieces.iter().all(|piece| !said(piece).trim().is_empty());
    if all_say && content.last().is_some_and(|block| said(block) == whole) {
        content.pop();
        content.extend(pieces.iter().cloned());
    }
    true
}

fn said(block: &Value) -> &str {
    block.get("text").and_then(Value::as_str).unwrap_or_default()
}
