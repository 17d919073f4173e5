//! Definitions of the memory tools.

use serde_json::{Value, json};
use throughline_conversation::{ToolDefinition, ToolOrigin};

use crate::search_tool::{DEFAULT_LIMIT, MAX_LIMIT};
use crate::tags::MAX_TAGS;

/// The definition of `save_memo`. [`crate::save_memo`] runs it.
#[must_use]
pub fn save_memo_tool() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "content": {
                "type": "string",
                "description": "What is to be remembered, at most 4,000 bytes."
            },
            "tags": {
                "type": "array",
                "items": {"type": "string"},
                "maxItems": MAX_TAGS,
                "description": "Short words that it will be looked for by, such as arch-decision, gotcha, api-design."
            }
        },
        "required": ["content", "tags"]
    });
    definition("save_memo", include_str!("save_memo.md"), schema)
}

/// The definition of `retrieve_memos`. [`crate::retrieve_memos`] runs it.
#[must_use]
pub fn retrieve_memos_tool() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "tags": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Only memos that have at least one of these; those with more of them come first."
            },
            "query": {
                "type": "string",
                "description": "Only memos that one of these words is found in, or the memo of this name."
            }
        }
    });
    definition("retrieve_memos", include_str!("retrieve_memos.md"), schema)
}

/// The definition of `memory_search`. [`crate::memory_search`] runs it.
#[must_use]
pub fn memory_search_tool() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "Words to look for. One of them is enough; what has more and rarer ones comes first."
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_LIMIT,
                "default": DEFAULT_LIMIT,
                "description": "Most hits to return."
            }
        },
        "required": ["query"]
    });
    definition("memory_search", include_str!("memory_search.md"), schema)
}

/// When to save and when to look, as a text for the system prompt.
#[must_use]
pub fn memo_rules() -> &'static str {
    include_str!("memo_rules.md").trim_end()
}

fn definition(name: &str, description: &str, input_schema: Value) -> ToolDefinition {
    let description = description.trim_end().to_owned();
    ToolDefinition { name: name.to_owned(), description, input_schema, origin: ToolOrigin::Builtin }
}

#[cfg(test)]
mod tests;
