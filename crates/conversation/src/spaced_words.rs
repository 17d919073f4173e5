//! Words between blanks: the fewest tokens that a text can have, for hardly any token spans a blank.

use serde_json::Value;

use crate::message::{ContentBlock, Message, Role};
use crate::tool::ToolDefinition;

/// The end of the thinking of models that write it into their text.
const END_OF_THOUGHT: &str = "</think>";

/// Words of a text, between blanks of ASCII.
#[must_use]
pub fn spaced_words(text: &str) -> u64 {
    text.split_ascii_whitespace().count() as u64
}

/// Words in all strings of a value; names of fields are not counted.
#[must_use]
pub fn spaced_words_of(value: &Value) -> u64 {
    match value {
        Value::String(text) => spaced_words(text),
        Value::Array(items) => items.iter().map(spaced_words_of).sum(),
        Value::Object(fields) => fields.values().map(spaced_words_of).sum(),
        _ => 0,
    }
}

/// The text of a model without the thoughts that it wrote into it, which later prompts leave out; `None` if it has none.
#[must_use]
pub fn without_thoughts(text: &str) -> Option<&str> {
    text.rsplit_once(END_OF_THOUGHT).map(|(_, said)| said)
}

impl Message {
    /// Words that every template shows of it: no thinking, no names of tools, no pictures.
    #[must_use]
    pub fn spaced_words(&self) -> u64 {
        let words = self.content.iter().map(|block| match block {
            ContentBlock::Text { text } if self.role == Role::Assistant => {
                spaced_words(without_thoughts(text).unwrap_or(text))
            }
            ContentBlock::Text { text } => spaced_words(text),
            ContentBlock::ToolCall(call) => spaced_words_of(&call.input),
            ContentBlock::ToolResult(result) => spaced_words(&result.content),
            ContentBlock::Thinking(_) | ContentBlock::Image(_) => 0,
        });
        words.sum()
    }
}

impl ToolDefinition {
    /// Words of its description and of those of its arguments. What is nested deeper is left out by some templates.
    #[must_use]
    pub fn spaced_words(&self) -> u64 {
        let arguments = self.input_schema.get("properties").and_then(Value::as_object);
        let described = arguments.into_iter().flat_map(|arguments| arguments.values());
        let words = described.filter_map(|argument| argument.get("description")).map(spaced_words_of);
        spaced_words(&self.description).saturating_add(words.sum())
    }
}
