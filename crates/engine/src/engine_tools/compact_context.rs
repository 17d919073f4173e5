//! `compact_context`: the model frees space before large work.
//!
//! The message with its call is still open then. The compactor protects the newest steps, so the result still finds its
//! call.

use throughline_compaction::Goal;
use throughline_conversation::EditReason;
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::step_context::StepContext;

pub(super) async fn call(step: &mut StepContext<'_>) -> ToolOutput {
    match step.compaction().attempt(EditReason::Manual, Goal::Deep).await {
        Ok(result) => ToolOutput::text(result.to_string()),
        Err(error) => ToolOutput::text(format!("nothing was compacted: {}", error_chain(&error))),
    }
}
