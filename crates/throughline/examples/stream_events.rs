//! Shows a turn while it runs: text as it arrives, tool calls, and the size of each request.

use throughline::ports::Event;
use throughline::ports::scripted::{self, Reply};
use throughline::{Throughline, ToolSet};

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let replies = [
        Reply::call("call_1", "list_files", serde_json::json!({"path": "."})),
        Reply::text("These are the files of the project."),
    ];
    let mut session = Throughline::builder()
        .model_port(scripted::model(replies))
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
    session.close().await?;
    Ok(())
}
