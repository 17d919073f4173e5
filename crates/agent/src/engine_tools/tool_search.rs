//! `tool_search`: finds deferred tools and promotes them.

use serde::Deserialize;
use serde_json::Value;
use throughline_deferral::{RankError, render_hits};
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use super::scope::ToolScope;

#[derive(Deserialize)]
struct Arguments {
    query: String,
}

pub(super) async fn call(scope: &mut ToolScope<'_>, input: &Value) -> ToolOutput {
    let arguments: Arguments = match serde_json::from_value(input.clone()) {
        Ok(arguments) => arguments,
        Err(error) => return ToolOutput::error(format!("tool_search: {error}")),
    };
    let hits = match scope.tools.deferral.search(scope.tools.ranker.as_ref(), &arguments.query).await {
        Ok(hits) => hits,
        Err(error) => return show_all(scope, &error),
    };
    let names: Vec<String> = hits.iter().map(|tool| tool.name.clone()).collect();
    let promoted = scope.tools.deferral.promote(&names, scope.session.turn);
    if !promoted.is_empty() {
        let what = format!("promoted {}", promoted.join(", "));
        scope.session.record_decision("run_tools", what, "found by tool_search");
    }
    ToolOutput::text(render_hits(&hits))
}

/// Without a search, the model gets every description, whatever room they take.
fn show_all(scope: &mut ToolScope<'_>, error: &RankError) -> ToolOutput {
    let promoted = scope.tools.deferral.promote_all(scope.session.turn);
    scope.session.degrade(scope.turn, "tool search", "every tool is described", error);
    let shown = if promoted.is_empty() { "is described" } else { "is described from the next request on" };
    ToolOutput::error(format!("{}; every tool {shown}", error_chain(error)))
}
