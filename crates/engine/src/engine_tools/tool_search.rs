//! `tool_search`: finds deferred tools and promotes them.

use serde::Deserialize;
use serde_json::Value;
use throughline_deferral::{RankError, render_hits};
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::step_context::StepContext;

#[derive(Deserialize)]
struct Arguments {
    query: String,
}

pub(super) async fn call(step: &mut StepContext<'_>, input: &Value) -> ToolOutput {
    let arguments: Arguments = match serde_json::from_value(input.clone()) {
        Ok(arguments) => arguments,
        Err(error) => return ToolOutput::error(format!("tool_search: {error}")),
    };
    let hits = match step.state.tools.search(&arguments.query).await {
        Ok(hits) => hits,
        Err(error) => return show_all(step, &error),
    };
    let names: Vec<String> = hits.iter().map(|tool| tool.name.clone()).collect();
    let promoted = step.state.tools.promote(&names, step.state.session.turn());
    if !promoted.is_empty() {
        let what = format!("promoted {}", promoted.join(", "));
        step.state.session.record_decision("run_tools", what, "found by tool_search");
    }
    ToolOutput::text(render_hits(&hits, step.state.tools.has_call_tool()))
}

/// Without a search, the model gets every description, whatever room they take.
fn show_all(step: &mut StepContext<'_>, error: &RankError) -> ToolOutput {
    let promoted = step.state.tools.promote_all(step.state.session.turn());
    step.state.session.degrade(&step.turn, "tool search", "every tool is described", error);
    let shown = if promoted.is_empty() { "is described" } else { "is described from the next request on" };
    ToolOutput::error(format!("{}; every tool {shown}", error_chain(error)))
}
