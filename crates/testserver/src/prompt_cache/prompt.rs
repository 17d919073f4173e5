//! A prompt as a list of blocks.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

/// The fields that are markers, or hold them.
pub(crate) const MARKERS: [&str; 2] = ["cache_control", "prompt_cache_breakpoint"];

/// A prompt, block by block.
#[derive(Debug, Default)]
pub(super) struct Prompt {
    pub(super) blocks: Vec<Block>,
    model: u64,
}

/// The prefix that ends with a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// Of all bytes up to its end.
    pub(super) key: u64,
    /// Bytes up to its end.
    pub(super) bytes: usize,
    /// How long the prefix is to be stored, in milliseconds, where a marker says so.
    pub(super) marker: Option<u64>,
}

impl Prompt {
    /// Tools, system prompt, messages (Anthropic documentation, "Prompt caching").
    pub(super) fn anthropic(body: &Value) -> Self {
        let mut prompt = Self::of(body);
        for tool in list(body, "tools") {
            prompt.push("tool", tool, None);
        }
        match body.get("system") {
            Some(Value::Array(sections)) => {
                for section in sections {
                    prompt.push("system", section, None);
                }
            }
            Some(text) if !text.is_null() => prompt.push("system", text, None),
            _ => {}
        }
        for message in list(body, "messages") {
            prompt.parts(message, "content", None);
        }
        prompt
    }

    /// Tools, instructions, input items (OpenAI documentation, "Prompt caching").
    pub(super) fn responses(body: &Value) -> Self {
        let default = Value::from("30m");
        let ttl = Some(body.pointer("/prompt_cache_options/ttl").unwrap_or(&default));
        let mut prompt = Self::of(body);
        for tool in list(body, "tools") {
            prompt.push("tool", tool, ttl);
        }
        if let Some(text) = body.get("instructions").filter(|text| !text.is_null()) {
            prompt.push("instructions", text, ttl);
        }
        for item in list(body, "input") {
            let field = if item.get("output").is_some() { "output" } else { "content" };
            prompt.parts(item, field, ttl);
        }
        prompt
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.bytes)
    }

    fn of(body: &Value) -> Self {
        let mut hasher = DefaultHasher::new();
        body.get("model").and_then(Value::as_str).hash(&mut hasher);
        Self { blocks: Vec::new(), model: hasher.finish() }
    }

    /// The parts of an item, each with what stands around them; an item without parts is one block.
    fn parts(&mut self, item: &Value, field: &str, ttl: Option<&Value>) {
        let mut around = item.clone();
        let parts = around.get_mut(field).filter(|parts| parts.is_array()).map(Value::take);
        match parts {
            Some(Value::Array(parts)) if !parts.is_empty() => {
                for part in &parts {
                    self.push(&around.to_string(), part, ttl);
                }
            }
            _ => self.push("", item, ttl),
        }
    }

    fn push(&mut self, around: &str, block: &Value, ttl: Option<&Value>) {
        let marker = MARKERS.iter().find_map(|name| block.get(name)).filter(|marker| !marker.is_null());
        let marker = marker.map(|marker| lifetime(marker.get("ttl").or(ttl)));
        let mut bare = block.clone();
        if let Some(fields) = bare.as_object_mut() {
            fields.retain(|name, _| !MARKERS.contains(&name.as_str()));
        }
        let text = bare.to_string();
        let (before, bytes) = self.blocks.last().map_or((self.model, 0), |last| (last.key, last.bytes));
        let mut hasher = DefaultHasher::new();
        (before, around, text.as_str()).hash(&mut hasher);
        self.blocks.push(Block { key: hasher.finish(), bytes: bytes + text.len(), marker });
    }
}

/// Milliseconds; five minutes where nothing is said.
fn lifetime(ttl: Option<&Value>) -> u64 {
    let minutes = match ttl.and_then(Value::as_str) {
        Some("30m") => 30,
        Some("1h") => 60,
        Some("12h") => 12 * 60,
        _ => 5,
    };
    minutes * 60_000
}

fn list<'a>(body: &'a Value, field: &str) -> &'a [Value] {
    body.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
