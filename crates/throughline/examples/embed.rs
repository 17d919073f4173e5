//! An agent with a tool of its own. With an argument it asks a real model, without one a script:
//! `cargo run -p throughline --example embed -- anthropic/claude-sonnet-4-5`

use std::sync::Arc;

use throughline::Throughline;
use throughline::ports::scripted::Reply;
use throughline::ports::{
    ModelInfo, ScriptAwareEstimator, ScriptedModel, Tool, ToolCall, ToolContext, ToolDefinition, ToolOrigin,
    ToolOutput, async_trait,
};

#[derive(Debug)]
struct Weather;

#[async_trait]
impl Tool for Weather {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "weather".to_owned(),
            description: "Tells the weather in a city.".to_owned(),
            input_schema: serde_json::json!({"type": "object", "properties": {"city": {"type": "string"}}}),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text(format!("{}: 21 °C, clear", call.input["city"]))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let builder = Throughline::builder()
        .tool(Arc::new(Weather))
        .data_dir(std::env::temp_dir().join("throughline-embed"));
    let mut session = match std::env::args().nth(1) {
        Some(model) => builder.model(model).open().await?,
        None => builder.model_port(Arc::new(scripted())).open().await?,
    };
    let reply = session.send("What is the weather in Oslo?").await?;
    println!("{}\n\n{}", reply.text(), session.report().await);
    session.close().await;
    Ok(())
}

/// A model for a run without a key.
fn scripted() -> ScriptedModel {
    let replies = [
        Reply::call("call_1", "weather", serde_json::json!({"city": "Oslo"})),
        Reply::text("It is 21 °C and clear."),
    ];
    ScriptedModel::new(
        ModelInfo::with_window("scripted", 100_000, 8_000),
        Box::new(ScriptAwareEstimator),
        replies,
    )
}
