//! The prompt caches of Anthropic and OpenAI, by the rules that both publish, with a clock that a test sets.
//!
//! It looks at the bytes of requests alone, and shares nothing with what clients predict.

mod automatic;
mod marked;
mod prompt;

use std::collections::HashMap;

use serde_json::Value;
use throughline_conversation::Usage;

use crate::wire::Protocol;
use prompt::Prompt;

pub(crate) use prompt::MARKERS;

/// Shortest prefix that OpenAI caches, in tokens.
const OPENAI_LEAST: u64 = 1_024;

/// What a service has stored of earlier prompts.
#[derive(Debug, Default)]
pub(crate) struct PromptCache {
    /// Shortest prefix that Anthropic's models cache, in tokens.
    least: u64,
    now_ms: u64,
    stored: HashMap<u64, Stored>,
}

/// A stored prefix.
#[derive(Debug, Clone, Copy)]
struct Stored {
    until_ms: u64,
    ttl_ms: u64,
}

impl PromptCache {
    pub(crate) fn new(least: u64) -> Self {
        Self { least, ..Self::default() }
    }

    pub(crate) fn advance(&mut self, millis: u64) {
        self.now_ms = self.now_ms.saturating_add(millis);
    }

    /// Reads and stores prefixes of a prompt. Gives its tokens by what became of them; `None`: the protocol has no cache
    /// here.
    pub(crate) fn serve(&mut self, protocol: Protocol, body: &Value) -> Option<Usage> {
        let now = self.now_ms;
        self.stored.retain(|_, stored| stored.until_ms >= now);
        match protocol {
            Protocol::Anthropic => Some(self.anthropic(&Prompt::anthropic(body))),
            Protocol::Responses if is_explicit(body) => Some(self.explicit(&Prompt::responses(body))),
            Protocol::Responses | Protocol::Chat => Some(self.automatic(body)),
            _ => None,
        }
    }

    /// Tokens of a prompt, counted like its cached part; `None`: the protocol has no cache here.
    pub(crate) fn count(protocol: Protocol, body: &Value) -> Option<u64> {
        match protocol {
            Protocol::Anthropic => Some(tokens(Prompt::anthropic(body).bytes())),
            Protocol::Responses if is_explicit(body) => Some(tokens(Prompt::responses(body).bytes())),
            Protocol::Responses | Protocol::Chat => Some(automatic::count(body)),
            _ => None,
        }
    }

    fn has(&self, key: u64) -> bool {
        self.stored.contains_key(&key)
    }

    /// Stores a prefix, or renews one that is stored.
    fn store(&mut self, key: u64, ttl_ms: u64) {
        let ttl_ms = self.stored.get(&key).map_or(ttl_ms, |stored| stored.ttl_ms.max(ttl_ms));
        self.stored.insert(key, Stored { until_ms: self.now_ms.saturating_add(ttl_ms), ttl_ms });
    }
}

/// Returns true if the request says itself where its prefixes end.
fn is_explicit(body: &Value) -> bool {
    body.pointer("/prompt_cache_options/mode").and_then(Value::as_str) == Some("explicit")
}

/// Tokens of this many bytes.
fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes / crate::size::BYTES).unwrap_or(u64::MAX)
}
