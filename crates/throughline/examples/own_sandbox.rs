//! Runs the model's commands in a sandbox. The program starts itself again for each of them, in a hidden mode.

use std::error::Error;

use serde_json::json;
use throughline::ports::Event;
use throughline::ports::scripted::{self, Reply};
use throughline::{Throughline, ToolSet};

const MODE: &str = "in-the-sandbox";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|mode| mode == MODE) {
        // Becomes the command; it returns only if that fails.
        return Err(Throughline::run_in_sandbox(arguments).into());
    }
    let replies = [
        Reply::call("call_1", "shell", json!({ "command": "touch /etc/of-the-model" })),
        Reply::text("That is not permitted."),
    ];
    let builder = Throughline::builder().model_port(scripted::model(replies)).built_in_tools(ToolSet::All);
    let builder = match std::env::args_os().nth(1) {
        // A program that calls `run_in_sandbox` in this mode.
        Some(program) => builder.sandbox_by(program, [MODE]),
        None => builder.sandbox(MODE),
    };
    let mut session = builder
        .data_dir(std::env::temp_dir().join("throughline-own-sandbox"))
        .events(|event| {
            if let Event::ToolFinished { name, is_error: true, output, .. } = event {
                println!("{name} failed: {output}");
            }
        })
        .open()
        .await?;
    println!("{}", session.send("Make a file in /etc.").await?.text());
    session.close().await?;
    Ok(())
}
