//! Texts of messages, and words in them.

use memchr::memmem;
use serde_json::Value;
use throughline_conversation::{ContentBlock, Message};

/// Every text of a message: its text blocks, tool results, and the strings within arguments of calls, unescaped.
/// Thinking is left out: providers drop it from older turns.
pub(crate) fn texts(message: &Message) -> Vec<&str> {
    texts_by_origin(message).into_iter().map(|(text, _)| text).collect()
}

/// The same, each with whether it is the result of a call.
pub(super) fn texts_by_origin(message: &Message) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    for block in &message.content {
        match block {
            ContentBlock::Text { text } => found.push((text.as_str(), false)),
            ContentBlock::ToolResult(result) => found.push((result.content.as_str(), true)),
            ContentBlock::ToolCall(call) => strings(&call.input, &mut |_, text| found.push((text, false))),
            ContentBlock::Thinking(_) | ContentBlock::Image(_) => {}
        }
    }
    found
}

/// Hands every text within a JSON value to `take`, with the key that it has, or that its list has.
pub(super) fn strings<'a>(value: &'a Value, take: &mut impl FnMut(Option<&'a str>, &'a str)) {
    fn walk<'a>(key: Option<&'a str>, value: &'a Value, take: &mut impl FnMut(Option<&'a str>, &'a str)) {
        match value {
            Value::String(text) => take(key, text),
            Value::Array(items) => items.iter().for_each(|item| walk(key, item, take)),
            Value::Object(fields) => fields.iter().for_each(|(key, value)| walk(Some(key), value, take)),
            _ => {}
        }
    }
    walk(None, value, take);
}

/// Returns true if a text has a part.
pub(super) fn has_part(text: &str, part: &str) -> bool {
    memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

/// Returns true if a text has a word, with no letter, digit or `_` directly before or after it.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    memmem::find_iter(text.as_bytes(), word).any(|place| {
        let before = text.get(..place).and_then(|before| before.chars().next_back());
        let behind = text.get(place + word.len()..).and_then(|behind| behind.chars().next());
        !part(before) && !part(behind)
    })
}
