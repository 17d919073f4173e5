//! Commands in the background that ended with an earlier process of the session, or belong to the session that it is a copy of.

use std::collections::{BTreeMap, HashMap};

use throughline_conversation::{ContentBlock, Entry, ToolCall};
use throughline_tools::{says_that_it_runs, started_job};

/// The jobs whose end the model does not know, by their numbers, with their commands; and the number of the last job.
pub(crate) fn lost_jobs(entries: &[Entry]) -> (BTreeMap<u64, String>, u64) {
    let (mut calls, mut open, mut last) = (HashMap::new(), BTreeMap::new(), 0);
    for entry in entries {
        calls.extend(entry.message.tool_calls().map(|call| (call.id.as_str(), call)));
        for block in &entry.message.content {
            match block {
                ContentBlock::ToolResult(result) => {
                    let Some(call) = calls.get(result.call_id.as_str()) else { continue };
                    match call.name.as_str() {
                        "shell" => {
                            if let Some(number) = started_job(&result.content) {
                                open.insert(number, command(call));
                                last = last.max(number);
                            }
                        }
                        "shell_output" | "shell_stop" if !says_that_it_runs(&result.content) => {
                            job(call).map(|number| open.remove(&number));
                        }
                        _ => {}
                    }
                }
                ContentBlock::Text { text } => open.retain(|number, _| !text.contains(&ended_mark(*number))),
                _ => {}
            }
        }
    }
    (open, last)
}

/// The beginning of a note that a job has ended.
pub(crate) fn ended_mark(number: u64) -> String {
    format!("Background job {number} has ended (")
}

fn command(call: &ToolCall) -> String {
    call.input.get("command").and_then(|command| command.as_str()).unwrap_or_default().to_owned()
}

fn job(call: &ToolCall) -> Option<u64> {
    let job = call.input.get("job")?;
    job.as_u64().or_else(|| job.as_str()?.parse().ok())
}
