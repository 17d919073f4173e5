//! Which tool a piece of a request is of.

use std::collections::HashMap;

use throughline_conversation::{Message, Record, RecordBody, Seq, ToolCall};

/// The calls and results of a log.
#[derive(Debug)]
pub(super) struct ToolNames<'l> {
    messages: HashMap<Seq, &'l Message>,
    calls: HashMap<&'l str, &'l ToolCall>,
}

impl<'l> ToolNames<'l> {
    pub(super) fn of(records: &'l [Record]) -> Self {
        let message = |record: &'l Record| match &record.body {
            RecordBody::Message(said) => Some((record.seq, &said.message)),
            _ => None,
        };
        let messages: HashMap<Seq, &Message> = records.iter().filter_map(message).collect();
        let calls = messages.values().flat_map(|message| message.tool_calls());
        let calls = calls.map(|call| (call.id.as_str(), call)).collect();
        Self { messages, calls }
    }

    /// The call that a piece of this kind has, or the first one whose result it has.
    pub(super) fn call(&self, kind: &str, record: Option<Seq>) -> Option<&'l ToolCall> {
        let message = self.messages.get(&record?)?;
        match kind {
            "results" => {
                message.tool_results().find_map(|result| self.calls.get(result.call_id.as_str()).copied())
            }
            "assistant" => message.tool_calls().next(),
            _ => None,
        }
    }

    /// The tool of a piece of this kind; in parentheses what is no tool.
    pub(super) fn tool(&self, kind: &str, record: Option<Seq>) -> &'l str {
        match (kind, self.call(kind, record)) {
            (_, Some(call)) => &call.name,
            ("tool", _) => "(tool descriptions)",
            ("system", _) => "(system prompt)",
            ("assistant", _) => "(answers)",
            ("user", _) => "(messages of the user)",
            ("summary", _) => "(summaries)",
            _ => "(notes)",
        }
    }

    /// How often each tool was called.
    pub(super) fn counts(&self) -> HashMap<&'l str, u64> {
        let mut counts = HashMap::new();
        for call in self.messages.values().flat_map(|message| message.tool_calls()) {
            *counts.entry(call.name.as_str()).or_default() += 1;
        }
        counts
    }
}
