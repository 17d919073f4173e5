//! The built-in tools that steer the engine. They answer inside the turn, because they work on its state.

mod compact_context;
mod manage_scratchpad;
mod memory;
mod query_db;
mod read_result;
mod tool_search;

use std::sync::Arc;

use throughline_compaction::compact_context_tool;
use throughline_conversation::{ToolCall, ToolDefinition};
use throughline_deferral::tool_search_tool;
use throughline_documents::manage_scratchpad_tool;
use throughline_history::query_db_tool;
use throughline_memory::{memory_search_tool, retrieve_memos_tool, save_memo_tool};
use throughline_resultstore::read_result_tool;
use throughline_tools::ToolOutput;

use crate::engine::{Engine, Wire};
use crate::keeping::Keeping;

const READ_RESULT: &str = "read_result";
const TOOL_SEARCH: &str = "tool_search";
const COMPACT_CONTEXT: &str = "compact_context";
const MANAGE_SCRATCHPAD: &str = "manage_scratchpad";
const QUERY_DB: &str = "query_db";
const SAVE_MEMO: &str = "save_memo";
const RETRIEVE_MEMOS: &str = "retrieve_memos";
const MEMORY_SEARCH: &str = "memory_search";

/// Names whose output is never stored out of the window: it was asked for, and it is paged.
pub(crate) const EXEMPT: [&str; 7] =
    [READ_RESULT, TOOL_SEARCH, COMPACT_CONTEXT, MANAGE_SCRATCHPAD, QUERY_DB, RETRIEVE_MEMOS, MEMORY_SEARCH];

/// Names of tools that only read back what is stored.
pub(crate) const RETRIEVAL: [&str; 4] = [READ_RESULT, QUERY_DB, RETRIEVE_MEMOS, MEMORY_SEARCH];

/// The engine's own tools: those that are always there, and those of what is kept.
fn own(keeping: &Keeping) -> Vec<ToolDefinition> {
    let mut own = vec![read_result_tool(), tool_search_tool(), compact_context_tool()];
    if keeping.documents.is_some() {
        own.push(manage_scratchpad_tool());
    }
    if keeping.history.is_some() {
        own.push(query_db_tool());
    }
    if keeping.memory.is_some() {
        own.extend([save_memo_tool(), retrieve_memos_tool(), memory_search_tool()]);
    }
    own
}

/// Whether the engine itself answers calls of this name.
pub(crate) fn steers(keeping: &Keeping, name: &str) -> bool {
    match name {
        READ_RESULT | TOOL_SEARCH | COMPACT_CONTEXT => true,
        MANAGE_SCRATCHPAD => keeping.documents.is_some(),
        QUERY_DB => keeping.history.is_some(),
        SAVE_MEMO | RETRIEVE_MEMOS | MEMORY_SEARCH => keeping.memory.is_some(),
        _ => false,
    }
}

/// The engine's own tools, before all others.
pub(crate) fn catalogue(keeping: &Keeping, others: &[ToolDefinition]) -> Arc<[ToolDefinition]> {
    let others = others.iter().filter(|tool| !steers(keeping, &tool.name)).cloned();
    own(keeping).into_iter().chain(others).collect()
}

/// Answers a call of one of the engine's own tools; `None` for any other.
pub(crate) async fn steer(engine: &mut Engine, wire: &Wire<'_>, call: &ToolCall) -> Option<ToolOutput> {
    if !steers(&engine.parts.keeping, &call.name) {
        return None;
    }
    match call.name.as_str() {
        READ_RESULT => Some(read_result::call(engine, &call.input).await),
        TOOL_SEARCH => Some(tool_search::call(engine, &call.input).await),
        COMPACT_CONTEXT => Some(compact_context::call(engine, wire).await),
        MANAGE_SCRATCHPAD => Some(manage_scratchpad::call(engine, wire, &call.input)),
        QUERY_DB => Some(query_db::call(engine, &call.input).await),
        _ => {
            let kept = engine.parts.keeping.memory.clone()?;
            Some(memory::call(engine, &kept, call).await)
        }
    }
}
