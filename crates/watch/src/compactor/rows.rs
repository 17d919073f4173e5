//! Rows of Claude Code's conversation, rebuilt from messages.

use serde::Serialize;
use serde_json::Value;
use throughline_conversation::{ContentBlock, Message, Role};
use throughline_replay::ROW_TEXTS;

/// A row as Claude Code takes it from a module. Neighbouring rows of one role are one row: what one answer called in parallel
/// loses its results otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactedRow {
    role: &'static str,
    text: String,
    tool_uses: Vec<RebuiltCall>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_results: Vec<RebuiltResult>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct RebuiltCall {
    tool_use_id: String,
    tool: String,
    input: Value,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct RebuiltResult {
    #[serde(rename = "tool_use_id")]
    call: String,
    text: String,
    is_error: bool,
}

/// The rows of messages. Thinking is left out: a rebuilt row cannot have it.
pub(super) fn rows<'m>(messages: impl IntoIterator<Item = &'m Message>) -> Vec<CompactedRow> {
    let mut rows: Vec<CompactedRow> = Vec::new();
    for row in messages.into_iter().map(row).filter(|row| !row.is_empty()) {
        match rows.last_mut().filter(|last| last.takes(&row)) {
            Some(last) => last.merge(row),
            None => rows.push(row),
        }
    }
    rows
}

/// The rows as a text, where they may not stand as rows.
pub(super) fn text_of(rows: &[CompactedRow]) -> String {
    rows.iter().map(CompactedRow::as_text).collect()
}

fn row(message: &Message) -> CompactedRow {
    let role = if message.role == Role::Assistant { "assistant" } else { "user" };
    let mut row = CompactedRow { role, text: String::new(), tool_uses: Vec::new(), tool_results: Vec::new() };
    for block in &message.content {
        match block {
            ContentBlock::Text { text } => row.add_text(text),
            ContentBlock::ToolCall(call) => row.tool_uses.push(RebuiltCall {
                tool_use_id: call.id.clone(),
                tool: call.name.clone(),
                input: call.input.clone(),
            }),
            ContentBlock::ToolResult(result) => row.tool_results.push(RebuiltResult {
                call: result.call_id.clone(),
                text: result.content.clone(),
                is_error: result.is_error,
            }),
            _ => {}
        }
    }
    row
}

impl CompactedRow {
    /// What the user says in it. `None`: it is the model's.
    pub(crate) fn said(&self) -> Option<&str> {
        (self.role == "user").then_some(self.text.as_str())
    }

    /// The ids of the calls whose results it has.
    pub(crate) fn answered(&self) -> impl Iterator<Item = &str> {
        self.tool_results.iter().map(|result| result.call.as_str())
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.tool_uses.is_empty() && self.tool_results.is_empty()
    }

    /// Returns true if another row is a part of the same message.
    fn takes(&self, next: &Self) -> bool {
        self.role == next.role && self.tool_results.is_empty() == next.tool_results.is_empty()
    }

    fn merge(&mut self, next: Self) {
        self.add_text(&next.text);
        self.tool_uses.extend(next.tool_uses);
        self.tool_results.extend(next.tool_results);
    }

    fn add_text(&mut self, text: &str) {
        if !text.is_empty() && !self.text.is_empty() {
            self.text.push_str(ROW_TEXTS);
        }
        self.text.push_str(text);
    }

    fn as_text(&self) -> String {
        let mut text =
            if self.text.is_empty() { String::new() } else { format!("{}: {}\n", self.role, self.text) };
        for call in &self.tool_uses {
            text.push_str(&format!("call of {}: {}\n", call.tool, call.input));
        }
        for result in &self.tool_results {
            let what = if result.is_error { "error" } else { "result" };
            text.push_str(&format!("{what}: {}\n", result.text));
        }
        text
    }
}
