//! Fields of one provider's messages as neutral blocks.
//!
//! A field that must go back unaltered is a block of thinking whose signature is the field's name and whose redacted content
//! is the field's JSON. Thinking is shown only to the model that thought it, so such a block is sent back to its own
//! provider or not at all.

use serde_json::Value;
use throughline_conversation::{ContentBlock, Thinking};

/// A field as a block.
pub(crate) fn native(field: &str, value: &Value) -> ContentBlock {
    let (signature, redacted) = (Some(field.to_owned()), Some(value.to_string()));
    ContentBlock::Thinking(Thinking { text: String::new(), signature, redacted })
}

/// The field that the thinking holds; `None` for any other thinking.
pub(crate) fn native_of(field: &str, thinking: &Thinking) -> Option<Value> {
    let is = thinking.signature.as_deref() == Some(field);
    thinking.redacted.as_deref().filter(|_| is).and_then(|content| serde_json::from_str(content).ok())
}
