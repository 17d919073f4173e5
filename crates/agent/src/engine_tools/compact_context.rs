//! `compact_context`: the model frees space before large work.
//!
//! The message with its call is still open then. The compactor protects the newest steps, so the result still finds its
//! call.

use throughline_compaction::Goal;
use throughline_conversation::EditReason;
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use super::scope::ToolScope;
use crate::compacting::Compaction;
use crate::frame::RequestFrame;

pub(super) async fn call(scope: &mut ToolScope<'_>) -> ToolOutput {
    let frame = RequestFrame { prefix: scope.prefix, tools: scope.tools, model: scope.model };
    let mut compaction = Compaction { session: scope.session, window: scope.window, frame, turn: scope.turn };
    match compaction.attempt(EditReason::Manual, Goal::Deep).await {
        Ok(result) => ToolOutput::text(result.to_string()),
        Err(error) => ToolOutput::text(format!("nothing was compacted: {}", error_chain(&error))),
    }
}
