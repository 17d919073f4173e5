//! Permissions of your own: the model may list files, and a command that writes is refused with a reason.

use std::sync::Arc;

use serde_json::json;
use throughline::ports::scripted::{self, Reply};
use throughline::ports::{Approval, ApprovalRequest, Approver, Event, async_trait};
use throughline::{Throughline, ToolSet};

#[derive(Debug)]
struct ReadOnly;

#[async_trait]
impl Approver for ReadOnly {
    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let command = request.call.input.get("command").and_then(|command| command.as_str());
        if command.is_some_and(|command| command.starts_with("ls")) {
            return Approval::Once;
        }
        Approval::Deny { feedback: Some("only `ls` may run here".to_owned()) }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let script = [
        Reply::call("1", "shell", json!({ "command": "touch file" })),
        Reply::call("2", "shell", json!({ "command": "ls" })),
        Reply::text("The folder is unchanged."),
    ];
    let mut session = Throughline::builder()
        .model_port(scripted::model(script))
        .data_dir(std::env::temp_dir().join("throughline-own-approver"))
        .built_in_tools(ToolSet::All)
        .approver(Arc::new(ReadOnly))
        .events(|event| {
            if let Event::ToolFinished { call_id, output, .. } = event {
                println!("call {call_id}: {}", output.lines().next().unwrap_or_default());
            }
        })
        .open()
        .await?;
    println!("{}", session.send("Make a file, then list the folder.").await?.text());
    session.close().await?;
    Ok(())
}
