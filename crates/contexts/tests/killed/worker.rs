//! The worker: it does all of its operations from the first, each with its key, and knows nothing of what was done before.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use throughline_contexts::{CallError, Contexts, ErrorCode, NoModels};

use crate::session::{SESSION, Stored, store};

/// Messages of the user.
pub(crate) const TURNS: usize = 5;

fn opening(folder: &Path) -> PathBuf {
    folder.join("open")
}

/// Prepares for [`wait_until_open`].
pub(crate) fn forget_opening(folder: &Path) {
    // The first worker has none.
    let _missing = fs::remove_file(opening(folder));
}

/// Waits until the worker that was started has its session open, or has ended.
pub(crate) fn wait_until_open(folder: &Path, worker: &mut Child) {
    while !opening(folder).exists() && worker.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The keys of operations that the worker takes for done.
pub(crate) fn acknowledged(folder: &Path) -> Vec<String> {
    whole_lines(&folder.join("acknowledged"))
}

/// Does everything. `journaled`: the answers of the model are stored before they are given to the engine, as a workflow engine
/// does it, so that one that was paid for is not asked for again.
pub(crate) fn run(folder: &Path, journaled: bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let contexts = Contexts::new(Arc::new(Stored(store(folder).await)), Arc::new(NoModels), None);
        let worker = Worker { folder, journaled, contexts };
        let dump = json!({ "name": "dump", "description": "Dumps rows.", "input_schema": { "type": "object" } });
        // When the view is compacted depends on the time between requests.
        let open = json!({ "model": "test", "window": 200_000, "max_output": 8_000, "policy": "off", "tools": [dump] });
        worker.call("open", open).await.unwrap();
        append(&opening(folder), "open");
        for turn in 0..TURNS {
            let said = json!({ "key": format!("user {turn}"), "text": format!("Dump number {turn}.") });
            worker.keyed("user", said).await.unwrap();
            for step in 0.. {
                let answered = worker.answer(&format!("answer {turn}.{step}")).await;
                match answered["then"].as_str().unwrap() {
                    "finished" => break,
                    "calls" => {
                        let results: Vec<Value> =
                            answered["calls"].as_array().unwrap().iter().map(result).collect();
                        let key = format!("results {turn}.{step}");
                        worker.keyed("results", json!({ "key": key, "results": results })).await.unwrap();
                    }
                    _ => {}
                }
            }
        }
    });
}

struct Worker<'a> {
    folder: &'a Path,
    journaled: bool,
    contexts: Contexts,
}

impl Worker<'_> {
    async fn call(&self, operation: &str, mut input: Value) -> Result<Value, CallError> {
        input["context"] = json!(SESSION);
        self.contexts.call(operation, input).await
    }

    /// Takes the operation for done when it has returned.
    async fn keyed(&self, operation: &str, input: Value) -> Result<Value, CallError> {
        let key = input["key"].as_str().unwrap().to_owned();
        let output = self.call(operation, input).await?;
        append(&self.folder.join("acknowledged"), &key);
        Ok(output)
    }

    /// A request and its answer.
    async fn answer(&self, key: &str) -> Value {
        let given = |request: &Value, body: &Value| json!({ "key": key, "request": request, "body": body });
        let journal = self.folder.join("journal");
        let entry = |line: String| serde_json::from_str::<Value>(&line).ok();
        let known = whole_lines(&journal).into_iter().filter_map(entry).find(|entry| entry["key"] == key);
        if let Some(known) = known {
            return self.keyed("answer", given(&known["request"], &known["body"])).await.unwrap();
        }
        if !self.journaled {
            // No request has this number, so only an answer that was given before is found.
            let nothing = json!({ "content": [], "stop_reason": "end_turn" });
            match self.keyed("answer", given(&json!(0), &nothing)).await {
                Err(error) if error.code == ErrorCode::NoRequest => {}
                answered => return answered.unwrap(),
            }
        }
        let next = self.call("next_request", json!({})).await.unwrap();
        let (request, body) = (&next["id"], model(&next["body"]));
        if self.journaled {
            append(&journal, &json!({ "key": key, "request": request, "body": body }).to_string());
        }
        self.keyed("answer", given(request, &body)).await.unwrap()
    }
}

/// The answer of the model, which depends on the request alone.
fn model(request: &Value) -> Value {
    let messages = request["messages"].as_array().unwrap();
    let said = messages.iter().filter(|message| message["role"] == "assistant").count();
    let call = |name: &str| json!({ "type": "tool_use", "id": format!("{name}-{said}"), "name": name, "input": { "query": said.to_string() } });
    let text = json!({ "type": "text", "text": format!("Part {said}.") });
    let (content, stop) = match said % 5 {
        0 => (vec![call("dump")], "tool_use"),
        1 => (vec![text, call("tool_search"), call("dump")], "tool_use"),
        2 => (vec![call("tool_search")], "tool_use"),
        3 => (vec![text], "pause_turn"),
        _ => (vec![text], "end_turn"),
    };
    json!({ "content": content, "stop_reason": stop, "usage": { "input_tokens": 900 + said, "output_tokens": 40 } })
}

/// The result of a call, which depends on the call alone.
fn result(call: &Value) -> Value {
    let number: u64 = call["input"]["query"].as_str().unwrap().parse().unwrap();
    let rows = if number.is_multiple_of(2) { 3 } else { 200 };
    let text: String = (0..rows).map(|row| format!("row {row} of {number}\n")).collect();
    json!({ "call": call["id"], "text": text })
}

fn append(path: &Path, line: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// The lines of a file, without one that a kill has cut off.
fn whole_lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(str::to_owned).collect()
}
