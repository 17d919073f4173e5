//! Shows a turn while it runs: text as it arrives, tool calls, and the size of each request.

use std::sync::Arc;

use throughline::ports::scripted::Reply;
use throughline::ports::{Event, ModelInfo, ScriptAwareEstimator, ScriptedModel};
use throughline::{Throughline, ToolSet};

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let replies = [
        Reply::call("call_1", "list_files", serde_json::json!({"path": "."})),
        Reply::text("These are the files of the project."),
    ];
    let info = ModelInfo::with_window("scripted", 100_000, 8_000);
    let model = ScriptedModel::new(info, Box::new(ScriptAwareEstimator), replies);
    let mut session = Throughline::builder()
        .model_port(Arc::new(model))
        .built_in_tools(ToolSet::Read)
        .data_dir(std::env::temp_dir().join("throughline-stream-events"))
        .events(|event| match event {
            Event::Sent { request, predicted, .. } => {
                println!("request {request}: {} tokens", predicted.prompt());
            }
            Event::ToolStarted { name, input, .. } => println!("calls {name} {input}"),
            Event::ToolFinished { name, bytes, .. } => println!("{name} returned {bytes} bytes"),
            Event::Text(text) => println!("text: {text}"),
            _ => {}
        })
        .open()
        .await?;
    session.send("What is in this folder?").await?;
    session.close().await;
    Ok(())
}
