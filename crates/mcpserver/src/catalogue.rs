//! The tools: their names, descriptions and arguments.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};

/// A tool that clients may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolName {
    SearchHistory,
    QueryDb,
    ReadResult,
    SaveMemo,
    RetrieveMemos,
    Scratchpad,
    Handoff,
    SessionContext,
}

impl ToolName {
    /// All of them, the one to call first first.
    pub(crate) const ALL: [Self; 8] = [
        Self::SessionContext,
        Self::SearchHistory,
        Self::QueryDb,
        Self::ReadResult,
        Self::Handoff,
        Self::Scratchpad,
        Self::SaveMemo,
        Self::RetrieveMemos,
    ];

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::SearchHistory => "search_history",
            Self::QueryDb => "query_db",
            Self::ReadResult => "read_result",
            Self::SaveMemo => "save_memo",
            Self::RetrieveMemos => "retrieve_memos",
            Self::Scratchpad => "scratchpad",
            Self::Handoff => "handoff",
            Self::SessionContext => "session_context",
        }
    }

    fn description(self) -> &'static str {
        let text = match self {
            Self::SearchHistory => include_str!("descriptions/search_history.md"),
            Self::QueryDb => include_str!("descriptions/query_db.md"),
            Self::ReadResult => include_str!("descriptions/read_result.md"),
            Self::SaveMemo => include_str!("descriptions/save_memo.md"),
            Self::RetrieveMemos => include_str!("descriptions/retrieve_memos.md"),
            Self::Scratchpad => include_str!("descriptions/scratchpad.md"),
            Self::Handoff => include_str!("descriptions/handoff.md"),
            Self::SessionContext => include_str!("descriptions/session_context.md"),
        };
        text.trim_end()
    }

    /// The arguments and the required ones.
    fn arguments(self) -> (Value, &'static [&'static str]) {
        let string = || json!({"type": "string"});
        let integer = || json!({"type": "integer", "minimum": 0});
        let session = || json!({"type": "string", "description": "Session id; default: the newest here."});
        let strings = || json!({"type": "array", "items": {"type": "string"}});
        match self {
            Self::SearchHistory => (
                json!({
                    "query": string(),
                    "session": {"type": "string", "description": "Only this one."},
                    "limit": integer(), "offset": integer(),
                }),
                &["query"],
            ),
            Self::QueryDb => (json!({"sql": string(), "session": session()}), &["sql"]),
            Self::ReadResult => (
                json!({
                    "ref_id": string(), "session": string(),
                    "offset": integer(), "limit": integer(), "search": string(),
                }),
                &["ref_id"],
            ),
            Self::SaveMemo => (json!({"content": string(), "tags": strings()}), &["content", "tags"]),
            Self::RetrieveMemos => (json!({"tags": strings(), "query": string()}), &[]),
            Self::Scratchpad => (
                json!({
                    "action": {"type": "string", "enum": ["read", "update", "append", "section"]},
                    "content": string(), "heading": string(), "expected_revision": integer(), "session": string(),
                }),
                &["action"],
            ),
            Self::Handoff | Self::SessionContext => (json!({"session": session(), "offset": integer()}), &[]),
        }
    }

    /// Returns true if a call may change something.
    const fn writes(self) -> bool {
        matches!(self, Self::SaveMemo | Self::Scratchpad)
    }

    /// The tool as clients see it.
    pub(crate) fn definition(self) -> Tool {
        let (properties, required) = self.arguments();
        let schema = json!({"type": "object", "properties": properties, "required": required});
        let schema = match schema {
            Value::Object(schema) => schema,
            _ => serde_json::Map::new(),
        };
        let hints = ToolAnnotations::new().read_only(!self.writes()).destructive(false).open_world(false);
        Tool::new(self.name(), self.description(), Arc::new(schema)).with_annotations(hints)
    }
}

#[cfg(test)]
mod tests;
