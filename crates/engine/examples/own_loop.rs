//! A loop of your own: the engine decides what the model sees. Replace `send` by your client.

use serde_json::{Value, json};
use throughline_engine::{
    Answer, Answered, ContextEngine, Message, ModelInfo, Next, SessionId, ToolDefinition, ToolOutput,
};
use throughline_policies::{Estimator, Policy};
use throughline_wire::{Wire, WireAnswer as _, WireRequest as _};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let info = ModelInfo::with_window("claude-sonnet-4-5", 20_000, 1_000);
    let settings = Policy::Throughline.settings(info.window, 1_000);
    let mut context = ContextEngine::builder(info, Estimator::default().counter(), settings)
        .system_prompt("You are careful.")
        .tools(&[ToolDefinition::new("dump", "Dumps rows.", json!({ "type": "object" }))])
        .open(SessionId::new("mine")?)
        .await?;
    context.user(Message::user("Dump everything.")).await?;
    while let Next::Request(next) = context.next_request().await? {
        let (id, body) = (next.id, send(&next.request.body(Wire::Anthropic)));
        drop(next);
        let mut answered = context.answer(id, Answer::from_wire(Wire::Anthropic, &body)?).await?;
        if let Answered::Calls(calls) = answered {
            let output = |id: &str| (0..80).map(|row| format!("row {row} of {id}\n")).collect::<String>();
            let results = calls.into_iter().map(|call| (call.id.clone(), ToolOutput::text(output(&call.id))));
            answered = context.results(results).await?;
        }
        if let Answered::Finished { text, .. } = answered {
            println!("{text}\n{}", context.status());
            break;
        }
    }
    Ok(())
}

/// A scripted server: it calls the tool until the request has a summary.
fn send(body: &Value) -> Value {
    let (messages, bytes) = (body["messages"].as_array().map_or(0, Vec::len), body.to_string().len());
    match body.to_string().contains("Summary of") || messages > 400 {
        true => json!({ "content": [{ "type": "text", "text": "Done." }], "stop_reason": "end_turn" }),
        false => json!({
            "content": [{ "type": "tool_use", "id": format!("c{bytes}"), "name": "dump", "input": {} }],
            "stop_reason": "tool_use",
        }),
    }
}
