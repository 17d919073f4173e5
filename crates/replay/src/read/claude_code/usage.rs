//! What the provider has reported for an answer.

use serde_json::Value;
use throughline_conversation::Usage;

use super::super::content::count;

/// The usage of a message; `None`: it has none.
pub(super) fn usage(message: &Value) -> Option<Usage> {
    let usage = message.get("usage")?;
    let read = Usage {
        input: count(usage, &["input_tokens"]),
        cache_read: count(usage, &["cache_read_input_tokens"]),
        cache_write: count(usage, &["cache_creation_input_tokens"]),
        output: count(usage, &["output_tokens"]),
        searches: count(usage, &["server_tool_use", "web_search_requests"]),
    };
    (read.prompt() > 0).then_some(read)
}
