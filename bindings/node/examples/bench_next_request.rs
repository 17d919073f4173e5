//! What `next_request` costs from Rust: the median of 100 requests behind 500 messages, in microseconds. `bench.mjs` compares it
//! with the same through the binding.

use std::time::Instant;

use serde_json::{Value, json};
use throughline_contexts::{CallError, Contexts, NextRequest};

#[tokio::main]
async fn main() -> Result<(), CallError> {
    let contexts = Contexts::default();
    let call = async |name: &str, mut input: Value| {
        if let Some(fields) = input.as_object_mut() {
            fields.insert("context".to_owned(), json!("bench"));
        }
        contexts.call(name, input).await
    };
    call("open", json!({ "model": "bench", "window": 1_000_000 })).await?;
    call("user", json!({ "text": "Dump everything." })).await?;
    let mut times = Vec::new();
    for step in 0..350 {
        let begun = Instant::now();
        let next = contexts.run("bench", None, NextRequest {}).await?;
        if step >= 250 {
            times.push(begun.elapsed().as_secs_f64() * 1e6);
        }
        let tool = json!({ "type": "tool_use", "id": format!("c{step}"), "name": "dump", "input": { "of": step } });
        let body = json!({ "content": [tool], "stop_reason": "tool_use" });
        call("answer", json!({ "request": next.id, "body": body })).await?;
        let result = json!({ "call": format!("c{step}"), "text": "row of 40 characters, as a table has it\n".repeat(10) });
        call("results", json!({ "results": [result] })).await?;
    }
    times.sort_by(f64::total_cmp);
    println!("{:.1}", times.get(times.len() / 2).copied().unwrap_or_default());
    Ok(())
}
