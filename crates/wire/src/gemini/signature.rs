//! Signatures of parts (Gemini API documentation, "Thought signatures").
//!
//! A part of an answer may be signed: a text, a thought, a call, or an empty text at the end. The signature goes back on
//! the same part. That of a call, or of an empty text, is stored as a field of the provider in front of the part's block; that
//! of a text behind it, so that the text is one block; that of a thought in the thought's own block.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Thinking};

use crate::form::native::{native, native_of};

/// The field of a part.
pub(super) const FIELD: &str = "thoughtSignature";

/// The name of the block with the signature of the text before it.
const OF_TEXT: &str = "thoughtSignature.text";

/// What the API takes for a call that it has not signed: one of another model, or one whose signature was removed.
pub(super) const UNSIGNED: &str = "skip_thought_signature_validator";

/// The signature of the text that comes right before it.
pub(super) fn of_text(signature: &str) -> ContentBlock {
    native(OF_TEXT, &json!(signature))
}

/// The signature of the call that follows, or of an empty text.
pub(super) fn block(signature: &str) -> ContentBlock {
    native(FIELD, &json!(signature))
}

/// A signed thought.
pub(super) fn thought(text: String, signature: &str) -> ContentBlock {
    let redacted = Some(json!(signature).to_string());
    ContentBlock::Thinking(Thinking { text, signature: Some(FIELD.to_owned()), redacted })
}

/// The signature that the block holds of itself or of what follows.
pub(super) fn of(thinking: &Thinking) -> Option<String> {
    read(FIELD, thinking)
}

/// The signature that the block holds of the text before it.
pub(super) fn of_text_before(thinking: &Thinking) -> Option<String> {
    read(OF_TEXT, thinking)
}

fn read(name: &str, thinking: &Thinking) -> Option<String> {
    match native_of(name, thinking)? {
        Value::String(signature) if !signature.is_empty() => Some(signature),
        _ => None,
    }
}

/// Returns true if a model refuses its own calls without a signature: Gemini 3 and later.
pub(super) fn is_required(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    let version = name.strip_prefix("gemini-").unwrap_or_default();
    let major: String = version.chars().take_while(char::is_ascii_digit).collect();
    major.parse::<u32>().map_or(!version.is_empty(), |major| major >= 3)
}
