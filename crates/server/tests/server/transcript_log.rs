//! Writes a session of Claude Code as it lies in its file.

use serde_json::{Value, json};

/// A session that grows line by line.
pub(crate) struct TranscriptLog {
    model: &'static str,
    /// Seconds since midnight.
    second: u64,
    /// Seconds that the next call takes.
    pub(crate) pause: u64,
    lines: Vec<Value>,
}

impl TranscriptLog {
    /// A session of this model.
    pub(crate) fn of(model: &'static str) -> Self {
        Self { model, second: 0, pause: 0, lines: Vec::new() }
    }

    fn line(&mut self, mut value: Value) {
        let number = self.lines.len();
        self.second += 4;
        let (hour, minute, second) = (self.second / 3_600, self.second / 60 % 60, self.second % 60);
        value["uuid"] = json!(format!("l{number}"));
        value["parentUuid"] = number.checked_sub(1).map_or(Value::Null, |last| json!(format!("l{last}")));
        value["sessionId"] = json!("0b0e5a7e-0000-4000-8000-000000000001");
        value["timestamp"] = json!(format!("2026-03-02T{hour:02}:{minute:02}:{second:02}.000Z"));
        self.lines.push(value);
    }

    /// The user says this, each text in a block of its own.
    pub(crate) fn user(&mut self, texts: &[&str]) -> &mut Self {
        let content: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
        self.line(json!({"type": "user", "message": {"role": "user", "content": content}}));
        self
    }

    /// The user names the session.
    pub(crate) fn name(&mut self, title: &str) -> &mut Self {
        self.line(json!({"type": "custom-title", "customTitle": title}));
        self
    }

    /// An answer to a prompt of this many tokens, of which some were read from the cache.
    pub(crate) fn answer(&mut self, prompt: u64, read: u64, text: &str) -> &mut Self {
        self.says(prompt, read, &json!({"type": "text", "text": text}))
    }

    /// An answer with a call, and its result.
    pub(crate) fn calls(
        &mut self,
        prompt: u64,
        read: u64,
        tool: &str,
        input: &Value,
        result: &str,
    ) -> &mut Self {
        let id = format!("c{}", self.lines.len());
        self.says(prompt, read, &json!({"type": "tool_use", "id": id, "name": tool, "input": input}));
        self.second += std::mem::take(&mut self.pause);
        let content = json!([{"type": "tool_result", "tool_use_id": id, "content": result}]);
        self.line(json!({"type": "user", "message": {"role": "user", "content": content}}));
        self
    }

    fn says(&mut self, prompt: u64, read: u64, block: &Value) -> &mut Self {
        let usage = json!({
            "input_tokens": 0, "cache_creation_input_tokens": prompt - read,
            "cache_read_input_tokens": read, "output_tokens": 80,
        });
        let id = format!("msg_{}", self.lines.len());
        self.line(json!({"type": "assistant", "message": {
            "model": self.model, "id": id, "role": "assistant", "content": [block], "usage": usage,
        }}));
        self
    }

    /// The agent compacts.
    pub(crate) fn compact(&mut self, summary: &str) -> &mut Self {
        self.line(
            json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}),
        );
        let text = format!("This session is being continued from a previous conversation.\n{summary}");
        self.line(json!({
            "type": "user", "isCompactSummary": true, "message": {"role": "user", "content": text},
        }));
        self
    }

    /// The content of the file.
    pub(crate) fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}
