//! OpenAI's cache without markers: every prefix from 1,024 tokens on, in steps of 128.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;
use throughline_conversation::Usage;

use super::{OPENAI_LEAST, PromptCache, tokens};

/// Tokens of one step.
const STEP: u64 = 128;
/// How long a prefix stays without use. The documentation says up to an hour, and that idle ones leave earlier.
const IDLE_MS: u64 = 30 * 60_000;

impl PromptCache {
    /// Writing costs nothing and is not reported.
    pub(super) fn automatic(&mut self, body: &Value) -> Usage {
        let text = text(body);
        let step = usize::try_from(STEP).unwrap_or(usize::MAX) * crate::size::BYTES;
        let mut hasher = DefaultHasher::new();
        body.get("model").and_then(Value::as_str).hash(&mut hasher);
        body.get("prompt_cache_key").and_then(Value::as_str).hash(&mut hasher);
        let mut read = 0;
        let mut warm = true;
        for (index, piece) in text.as_bytes().chunks_exact(step).enumerate() {
            piece.hash(&mut hasher);
            let length = STEP * u64::try_from(index + 1).unwrap_or(u64::MAX);
            let key = hasher.clone().finish();
            warm &= length < OPENAI_LEAST || self.has(key);
            if length >= OPENAI_LEAST {
                read = if warm { length } else { read };
                self.store(key, IDLE_MS);
            }
        }
        Usage {
            input: tokens(text.len()).saturating_sub(read),
            cache_read: read,
            cache_write: 0,
            output: 0,
            searches: 0,
        }
    }
}

/// Tokens of the prompt.
pub(super) fn count(body: &Value) -> u64 {
    tokens(text(body).len())
}

/// The prompt as one text, in the order in which a model reads it.
fn text(body: &Value) -> String {
    let mut text = String::new();
    for field in ["tools", "instructions", "messages", "input"] {
        match body.get(field) {
            Some(Value::Array(items)) => items.iter().for_each(|item| text.push_str(&item.to_string())),
            Some(value) if !value.is_null() => text.push_str(&value.to_string()),
            _ => {}
        }
    }
    text
}
