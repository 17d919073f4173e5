//! The built-in tools that steer the engine. They answer inside the turn, because they work on its state.

mod compact_context;
mod read_result;
mod tool_search;

use std::sync::Arc;

use throughline_compaction::compact_context_tool;
use throughline_conversation::{ToolCall, ToolDefinition};
use throughline_deferral::tool_search_tool;
use throughline_resultstore::read_result_tool;
use throughline_tools::ToolOutput;

use crate::engine::{Engine, Wire};

const READ_RESULT: &str = "read_result";
const TOOL_SEARCH: &str = "tool_search";
const COMPACT_CONTEXT: &str = "compact_context";

/// Names whose output is never stored out of the window: it was asked for, and it is paged.
pub(crate) const EXEMPT: [&str; 3] = [READ_RESULT, TOOL_SEARCH, COMPACT_CONTEXT];

/// Names of tools that only read back what is stored.
pub(crate) const RETRIEVAL: [&str; 1] = [READ_RESULT];

/// Whether the engine itself answers calls of this name.
pub(crate) fn steers(name: &str) -> bool {
    EXEMPT.contains(&name)
}

/// The engine's own tools, before all others.
pub(crate) fn catalogue(others: &[ToolDefinition]) -> Arc<[ToolDefinition]> {
    let own = [read_result_tool(), tool_search_tool(), compact_context_tool()];
    own.into_iter().chain(others.iter().filter(|tool| !steers(&tool.name)).cloned()).collect()
}

/// Answers a call of one of the engine's own tools; `None` for any other.
pub(crate) async fn steer(engine: &mut Engine, wire: &Wire<'_>, call: &ToolCall) -> Option<ToolOutput> {
    match call.name.as_str() {
        READ_RESULT => Some(read_result::call(engine, &call.input).await),
        TOOL_SEARCH => Some(tool_search::call(engine, &call.input).await),
        COMPACT_CONTEXT => Some(compact_context::call(engine, wire).await),
        _ => None,
    }
}
