//! An agent with a tool of its own. With an argument it calls a real model, without one a script:
//! `cargo run -p throughline --example embed -- anthropic/claude-sonnet-4-5`

use std::sync::Arc;

use serde_json::json;
use throughline::Throughline;
use throughline::ports::scripted::{self, Reply};
use throughline::ports::{Tool, ToolCall, ToolContext, ToolDefinition, ToolOutput, async_trait};

#[derive(Debug)]
struct Weather;

#[async_trait]
impl Tool for Weather {
    fn definition(&self) -> ToolDefinition {
        let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
        ToolDefinition::new("weather", "Returns the weather in a city.", schema)
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text(format!("{}: 21 °C, clear", call.input.get("city").unwrap_or(&call.input)))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let script = [Reply::call("1", "weather", json!({"city": "Oslo"})), Reply::text("21 °C and clear.")];
    let builder = match std::env::args().nth(1) {
        Some(name) => Throughline::builder().model(name),
        None => Throughline::builder().model_port(scripted::model(script)),
    };
    let builder = builder.system_prompt("You answer questions about the weather in one sentence.");
    let mut session = builder.tool(Arc::new(Weather)).open().await?;
    let reply = session.send("What is the weather in Oslo?").await?;
    // The report says what fills the window, and what it cost.
    println!("{}\n\n{}", reply.text(), session.report().await?);
    session.close().await?;
    Ok(())
}
