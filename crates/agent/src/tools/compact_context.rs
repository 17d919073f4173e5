//! `compact_context`: the model frees space before large work.
//!
//! It runs beside the other calls of its batch. The message that holds the call is open at that moment; the
//! compactor leaves the newest steps alone, so its result still finds its call.

use throughline_compaction::Goal;
use throughline_conversation::EditReason;
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::compacting;
use crate::engine::{Engine, Wire};

pub(super) async fn call(engine: &mut Engine, wire: &Wire<'_>) -> ToolOutput {
    match compacting::attempt(engine, wire, EditReason::Manual, Goal::Deep).await {
        Ok(result) => ToolOutput::text(result.to_string()),
        Err(error) => ToolOutput::text(format!("nothing was compacted: {}", error_chain(&error))),
    }
}
