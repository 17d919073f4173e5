//! Server-specific content in neutral blocks.
//!
//! Chat Completions has no field for reasoning of its own. Servers have added several, and some refuse a request in
//! which one is missing that they sent. Such a field is stored as a block of thinking whose signature is the field's
//! name: `reasoning_content` or `reasoning` with the text, `reasoning_details` with the JSON of the field as redacted
//! content, and so `extra_content`, right before the call that it belongs to. Thinking is shown only to
//! the model that thought it, so such a block is sent back to its own server or not at all.

use serde_json::Value;
use throughline_conversation::{ContentBlock, Message, Thinking};

use crate::form::native::native_of;

/// Fields with reasoning as a text. The first is the name that DeepSeek gave it; vLLM, OpenRouter and Groq leave out
/// the second word, and drop or refuse the longer name.
pub(crate) const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

/// The signature of thinking that came as a part of the content (Mistral).
pub(crate) const THINKING_PART: &str = "content.thinking";

/// The field of a call in which Google's models sign what they thought before it (Gemini API documentation, "Thought
/// signatures").
pub(crate) const EXTRA_CONTENT: &str = "extra_content";

/// The field of a message with reasoning in parts, some of them signed or sealed: OpenRouter's, which refuses calls of
/// Google's models without.
pub(crate) const DETAILS: &str = "reasoning_details";

/// The reasoning of a message in parts.
pub(crate) fn details(message: &Message) -> Option<Value> {
    message.content.iter().find_map(|block| match block {
        ContentBlock::Thinking(thinking) => native_of(DETAILS, thinking),
        _ => None,
    })
}

/// The reasoning of a message: its text, and the name of its field where that is known.
pub(crate) fn reasoning(message: &Message) -> Option<(Option<&'static str>, String)> {
    let mut found: Option<(Option<&'static str>, String)> = None;
    for block in &message.content {
        let ContentBlock::Thinking(thinking) = block else { continue };
        if thinking.redacted.is_some() || thinking.text.is_empty() {
            continue;
        }
        let name = match thinking.signature.as_deref() {
            None => None,
            Some(signature) => match REASONING.into_iter().find(|name| *name == signature) {
                // Signed by another API.
                None => continue,
                name => name,
            },
        };
        let (field, text) = found.get_or_insert_default();
        *field = name.or(*field);
        // Pieces of one field, separated by text.
        text.push_str(&thinking.text);
    }
    found
}

/// Returns true if the thinking came by Chat Completions, so that no other API takes it.
pub(crate) fn is_of_chat(thinking: &Thinking) -> bool {
    let name = thinking.signature.as_deref().unwrap_or_default();
    [EXTRA_CONTENT, DETAILS, THINKING_PART].contains(&name) || REASONING.contains(&name)
}
