//! How providers say that a request does not fit the window.

use super::said::Said;

/// Types and codes that say so.
const NAMES: &[&str] = &["context_length_exceeded", "exceed_context_size_error"];

/// Words that say so, in lower case: Anthropic (two), OpenAI and the many servers that speak like it (two),
/// llama.cpp, and Ollama (two).
const WORDS: &[&str] = &[
    "prompt is too long",
    "exceed context limit",
    "maximum context length is",
    "exceeds the context window",
    "exceeds the available context size",
    "prompt is longer than the context length",
    "input length exceeds the context length",
];

/// What the limit comes after, in lower case, next to those words.
const LIMIT_AFTER: &[&str] =
    &["maximum context length is ", "available context size (", "context window of ", "> "];

pub(super) fn is(said: &Said, message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    said.names.iter().any(|name| NAMES.contains(&name.as_str()))
        || WORDS.iter().any(|words| lower.contains(words))
}

/// The model's limit in tokens out of the words, for example `prompt is too long: 9 tokens > 8 maximum`.
pub(super) fn limit(message: &str) -> Option<u64> {
    let lower = message.to_ascii_lowercase();
    LIMIT_AFTER.iter().find_map(|before| number(lower.split_once(before)?.1))
}

fn number(text: &str) -> Option<u64> {
    let digits: String = text
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || *letter == ',')
        .filter(|letter| *letter != ',')
        .collect();
    digits.parse().ok()
}
