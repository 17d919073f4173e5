//! What a request of a long session costs through each door to the engine, next to the call in Rust.
//!
//! Run with `cargo xtask bench doors`; it fails when a request by lines or by HTTP takes more than 1 ms longer than the call.
//! A session of 500 messages is filled through each door. Then requests are built and given back, in turns of the three, so
//! that all see the same machine. Each time ends when the last byte of the answer is there: reading its JSON is the client's.

#[path = "../median.rs"]
mod median;
mod process;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use throughline_contexts::{Contexts, GiveRefusal, NextRequest};
use throughline_host::HostOptions;

use median::median;
use process::{Http, Lines, in_context};

/// Messages of the session.
const MESSAGES: usize = 500;
/// Requests that are timed through each door.
const REQUESTS: usize = 200;
/// Milliseconds that a door may add.
const MAX_ADDED: f64 = 1.0;

fn main() -> anyhow::Result<()> {
    let binary = std::env::var_os("THROUGHLINE_BIN").context("THROUGHLINE_BIN names the binary")?;
    let home = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let contexts = runtime.block_on(fill(home.path()))?;
    let mut lines = Lines::start(Path::new(&binary), &home.path().join("lines"))?;
    let mut http = Http::start(Path::new(&binary), &home.path().join("http"))?;
    for (operation, input) in filling() {
        lines.call(operation, &input)?;
        http.call(operation, &input)?;
    }
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    let mut bytes = 0;
    for _ in 0..REQUESTS {
        let begun = Instant::now();
        let next = runtime.block_on(contexts.run("bench", None, NextRequest {}))?;
        times[0].push(begun.elapsed());
        let refusal =
            GiveRefusal { request: next.id, status: Some(503), body: String::new(), retry_after: None };
        runtime.block_on(contexts.run("bench", None, refusal))?;

        let begun = Instant::now();
        let answer = lines.send("next_request", &json!({}))?;
        times[1].push(begun.elapsed());
        bytes = answer.len();
        let next: Value = serde_json::from_slice(&answer)?;
        lines.call("refused", &refused(next.pointer("/result/id")))?;

        let begun = Instant::now();
        let answer = http.send("next_request", &json!({}))?;
        times[2].push(begun.elapsed());
        let next: Value = serde_json::from_slice(&answer)?;
        http.call("refused", &refused(next.get("id")))?;
    }
    let [rust, lines, http] = times.map(median);
    let (rust, lines, http) = (rust?, lines?, http?);
    println!(
        "next_request in a session of {MESSAGES} messages, an answer of {bytes} bytes, median of {REQUESTS}:"
    );
    println!("  call in Rust:         {:>7.3} ms", millis(rust));
    let mut late = Vec::new();
    for (door, time) in [("throughline engine", lines), ("throughline serve", http)] {
        let added = millis(time) - millis(rust);
        let times = time.as_secs_f64() / rust.as_secs_f64();
        println!(
            "  {door}:  {:>7.3} ms, {added:.3} more (at most {MAX_ADDED}), {times:.2} times",
            millis(time)
        );
        if added > MAX_ADDED {
            late.push(door);
        }
    }
    ensure!(late.is_empty(), "too slow: {}", late.join(", "));
    Ok(())
}

fn refused(request: Option<&Value>) -> Value {
    json!({ "request": request, "status": 503, "body": "" })
}

/// The same calls for every door.
fn filling() -> impl Iterator<Item = (&'static str, Value)> {
    let open = json!({ "model": "bench", "window": 1_000_000, "max_output": 8_000, "policy": "off" });
    let said = |place: usize| {
        let (role, text) = match place % 2 {
            0 => ("user", format!("Question {place}: {}", "what is it worth ".repeat(20))),
            _ => ("assistant", format!("Answer {place}: {}", "it is worth a lot ".repeat(20))),
        };
        json!({ "role": role, "content": text })
    };
    let messages: Vec<Value> = (0..MESSAGES - 1).map(said).collect();
    let sync = json!({ "messages": messages });
    [("open", open), ("sync", sync), ("refused", refused(Some(&json!(1))))].into_iter()
}

async fn fill(folder: &Path) -> anyhow::Result<Contexts> {
    let options = HostOptions { data_dir: Some(folder.join("rust")), ..HostOptions::default() };
    let contexts = options.open(None).await?;
    for (operation, input) in filling() {
        contexts.call(operation, in_context(input)).await?;
    }
    Ok(contexts)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
