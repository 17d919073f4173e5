//! `tool_search`: finds tools whose descriptions were held back, and promotes them.

use serde::Deserialize;
use serde_json::Value;
use throughline_deferral::render_hits;
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::engine::Engine;

#[derive(Deserialize)]
struct Arguments {
    query: String,
}

pub(super) async fn call(engine: &mut Engine, input: &Value) -> ToolOutput {
    let arguments: Arguments = match serde_json::from_value(input.clone()) {
        Ok(arguments) => arguments,
        Err(error) => return ToolOutput::error(format!("tool_search: {error}")),
    };
    let ranker = std::sync::Arc::clone(&engine.parts.ranker);
    match engine.deferral.search(ranker.as_ref(), &arguments.query).await {
        Ok(hits) => {
            let names: Vec<String> = hits.iter().map(|tool| tool.name.clone()).collect();
            let promoted = engine.deferral.promote(&names, engine.turn);
            if !promoted.is_empty() {
                engine.decide(
                    "run_tools",
                    format!("promoted {}", promoted.join(", ")),
                    "found by tool_search",
                );
            }
            ToolOutput::text(render_hits(&hits))
        }
        Err(error) => ToolOutput::error(error_chain(&error)),
    }
}
