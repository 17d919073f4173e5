//! The tool that finds tools, and the note that it is there.

use std::fmt::Write as _;

use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

/// Name of the tool that finds tools.
pub(crate) const TOOL_SEARCH: &str = "tool_search";

/// The beginning of the line with a hit's name.
const HIT: &str = "## ";

/// The note that tells the model how many tools it does not see.
#[must_use]
pub fn deferred_note(deferred: usize) -> String {
    format!("[{deferred} tools deferred to save context. Use tool_search to find them.]")
}

/// The definition of `tool_search`.
#[must_use]
pub fn tool_search_tool() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "Words for what the tool should do, or its name."
            }
        },
        "required": ["query"]
    });
    ToolDefinition {
        name: TOOL_SEARCH.to_owned(),
        description: include_str!("tool_search.md").trim_end().to_owned(),
        input_schema: schema,
        origin: ToolOrigin::Builtin,
    }
}

/// The answer to a search: names, descriptions and schemas, the best hit first. `by_call_tool`: the list of tools does not change,
/// and deferred tools are called by `call_tool`.
#[must_use]
pub fn render_hits(hits: &[ToolDefinition], by_call_tool: bool) -> String {
    if hits.is_empty() {
        return "No tool fits these words. Try others: the name of the service, or of what it works on."
            .to_owned();
    }
    let mut out = String::from(match by_call_tool {
        true => "Call these tools with call_tool, or by themselves if they are in your list of tools.\n",
        false => "These tools can be called from your next message on.\n",
    });
    for tool in hits {
        let _ = write!(
            out,
            "\n{HIT}{}\n{}\nArguments: {}\n",
            tool.name,
            tool.description.trim_end(),
            tool.input_schema
        );
    }
    out
}

/// The names in the answer to a search, among lines of descriptions that look alike.
pub(crate) fn found_names(answer: &str) -> impl Iterator<Item = &str> {
    answer.lines().filter_map(|line| line.strip_prefix(HIT))
}

#[cfg(test)]
mod tests;
