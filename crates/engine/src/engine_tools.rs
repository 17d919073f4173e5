//! The engine's own tools: they work on the state of the turn that calls them.

mod compact_context;
mod manage_scratchpad;
mod memory;
mod query_db;
mod read_result;
mod tool_search;

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;
use throughline_compaction::compact_context_tool;
use throughline_conversation::{ToolDefinition, ToolOrigin};
use throughline_deferral::{CALL_TOOL, call_tool, tool_search_tool};
use throughline_documents::manage_scratchpad_tool;
use throughline_history::query_db_tool;
use throughline_memory::{memory_search_tool, retrieve_memos_tool, save_memo_tool};
use throughline_resultstore::read_result_tool;
use throughline_tools::ToolOutput;

use crate::continuity_ports::ContinuityPorts;

use crate::step_context::StepContext;

/// The answer of a tool that is running.
pub(crate) type ToolAnswer<'r> = Pin<Box<dyn Future<Output = ToolOutput> + Send + 'r>>;

/// One of the engine's own tools.
#[derive(Debug)]
pub(crate) struct EngineTool {
    name: &'static str,
    definition: fn() -> ToolDefinition,
    /// Returns true if the session offers it.
    offered: fn(&ContinuityPorts) -> bool,
    /// Its output is never offloaded: the model asked for exactly this, and it is paged.
    inline: bool,
    /// It only reads back what is stored.
    retrieval: bool,
    pub(crate) handler: for<'r> fn(&'r mut StepContext<'_>, &'r Value) -> ToolAnswer<'r>,
}

/// All engine tools, in the order in which the model sees them.
static TOOLS: &[EngineTool] = &[
    EngineTool {
        name: "read_result",
        definition: read_result_tool,
        offered: |_| true,
        inline: true,
        retrieval: true,
        handler: |step, input| Box::pin(read_result::call(step, input)),
    },
    EngineTool {
        name: "tool_search",
        definition: tool_search_tool,
        offered: |_| true,
        inline: true,
        retrieval: false,
        handler: |step, input| Box::pin(tool_search::call(step, input)),
    },
    EngineTool {
        name: CALL_TOOL,
        definition: call_tool,
        offered: |_| true,
        inline: false,
        retrieval: false,
        handler: |_, _| Box::pin(async { ToolOutput::error(CALL_TOOL_USE) }),
    },
    EngineTool {
        name: "compact_context",
        definition: compact_context_tool,
        offered: |_| true,
        inline: true,
        retrieval: false,
        handler: |step, _| Box::pin(compact_context::call(step)),
    },
    EngineTool {
        name: "manage_scratchpad",
        definition: manage_scratchpad_tool,
        offered: |continuity| continuity.documents.is_some(),
        inline: true,
        retrieval: false,
        handler: |step, input| Box::pin(manage_scratchpad::call(step, input)),
    },
    EngineTool {
        name: "query_db",
        definition: query_db_tool,
        offered: |continuity| continuity.history.is_some(),
        inline: true,
        retrieval: true,
        handler: |step, input| Box::pin(query_db::call(step, input)),
    },
    EngineTool {
        name: "save_memo",
        definition: save_memo_tool,
        offered: |continuity| continuity.memory.is_some(),
        inline: false,
        retrieval: false,
        handler: |step, input| Box::pin(memory::save(step, input)),
    },
    EngineTool {
        name: "retrieve_memos",
        definition: retrieve_memos_tool,
        offered: |continuity| continuity.memory.is_some(),
        inline: true,
        retrieval: true,
        handler: |step, input| Box::pin(memory::retrieve(step, input)),
    },
    EngineTool {
        name: "memory_search",
        definition: memory_search_tool,
        offered: |continuity| continuity.memory.is_some(),
        inline: true,
        retrieval: true,
        handler: |step, input| Box::pin(memory::search(step, input)),
    },
];

/// The output of a call of `call_tool` that means no call.
const CALL_TOOL_USE: &str = "call_tool needs `name`, the name of a tool that tool_search found, and `input`, an object with its arguments.";

impl EngineTool {
    fn is_offered(&self, continuity: &ContinuityPorts) -> bool {
        (self.offered)(continuity) && !continuity.left_out.contains(&self.name)
    }
}

/// The engine tool of this name, if the session offers it.
pub(crate) fn find(continuity: &ContinuityPorts, name: &str) -> Option<&'static EngineTool> {
    TOOLS.iter().find(|tool| tool.name == name && tool.is_offered(continuity))
}

/// Definitions of all tools of a session, and why some of the caller's are not among them.
pub(crate) struct Catalogue {
    /// The engine's own first.
    pub(crate) tools: Arc<[ToolDefinition]>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// A tool of the caller that no model is given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tool {name:?}: {why}")]
pub(crate) struct LeftOut {
    pub(crate) name: String,
    why: &'static str,
}

/// The tools of a session. Those of the caller are offered as far as a request with them is valid: one that providers refuse, one
/// with the name of an engine tool, and all of a name but the first in order of origin are left out.
pub(crate) fn catalogue(continuity: &ContinuityPorts, others: &[ToolDefinition]) -> Catalogue {
    // Only tools of servers and skills are ever deferred.
    let deferrable = others.iter().any(|tool| tool.origin.is_deferrable());
    let own = TOOLS.iter().filter(|tool| tool.is_offered(continuity)).map(|tool| (tool.definition)());
    let own = own.filter(|tool| deferrable || tool.name != CALL_TOOL);
    let is_own = |name: &str| find(continuity, name).is_some() && (deferrable || name != CALL_TOOL);
    let mut first: BTreeMap<&str, (ToolOrigin, usize)> = BTreeMap::new();
    for (place, tool) in others.iter().enumerate() {
        let before = first.entry(&tool.name).or_insert((tool.origin, place));
        *before = (*before).min((tool.origin, place));
    }
    let why = |place: usize, tool: &ToolDefinition| match tool {
        tool if !tool.has_valid_name() => Some("its name is not 1 to 64 letters, digits, '_' or '-'"),
        tool if !tool.input_schema.is_object() => Some("its schema is no JSON object"),
        tool if is_own(&tool.name) => Some("the engine has a tool of this name"),
        tool if first.get(tool.name.as_str()).is_some_and(|first| first.1 != place) => {
            Some("another tool has this name")
        }
        _ => None,
    };
    let (mut offered, mut left_out) = (Vec::new(), Vec::new());
    for (place, tool) in others.iter().enumerate() {
        match why(place, tool) {
            None => offered.push(tool.clone()),
            Some(why) => left_out.push(LeftOut { name: tool.name.clone(), why }),
        }
    }
    Catalogue { tools: own.chain(offered).collect(), left_out }
}

/// Names of the tools whose output is never offloaded.
pub(crate) fn inline() -> impl Iterator<Item = String> {
    TOOLS.iter().filter(|tool| tool.inline).map(|tool| tool.name.to_owned())
}

/// Names of the tools that only read back what is stored.
pub(crate) fn retrieval() -> Vec<&'static str> {
    TOOLS.iter().filter(|tool| tool.retrieval).map(|tool| tool.name).collect()
}

#[cfg(test)]
mod tests;
