//! The tools that look at background jobs and end them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};
use throughline_text::cut_end;

use super::jobs::{Job, Jobs};
use super::runner::CommandRunner;
use super::{ending_line, with_lines};
use crate::builtin::definition;
use crate::{Access, CANCELLED, Effect, Tool, ToolContext, ToolOutput, arguments};

/// Most seconds that a call may wait.
const MAX_WAIT: u64 = 600;

/// `shell_output`: what a background job wrote since the last time, and whether it still runs.
#[derive(Debug, Clone)]
pub struct ShellOutputTool {
    jobs: Jobs,
    runner: CommandRunner,
}

/// `shell_stop`: ends a background job.
#[derive(Debug, Clone)]
pub struct ShellStopTool {
    jobs: Jobs,
    runner: CommandRunner,
}

impl ShellOutputTool {
    /// The tool for these jobs, which this runner runs.
    #[must_use]
    pub fn new(jobs: Jobs, runner: CommandRunner) -> Self {
        Self { jobs, runner }
    }
}

impl ShellStopTool {
    /// The tool for these jobs, which this runner runs.
    #[must_use]
    pub fn new(jobs: Jobs, runner: CommandRunner) -> Self {
        Self { jobs, runner }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    #[serde(deserialize_with = "number")]
    job: u64,
    #[serde(default)]
    wait_seconds: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stopping {
    #[serde(deserialize_with = "number")]
    job: u64,
}

/// A number, also one in quotes: models take it for a name.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "the job's number")]
    enum Number {
        Number(u64),
        Text(String),
    }
    match Number::deserialize(deserializer)? {
        Number::Number(number) => Ok(number),
        Number::Text(text) => {
            text.trim().parse().map_err(|_| serde::de::Error::custom("job must be a number"))
        }
    }
}

fn reading_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "job": { "type": "integer" },
            "wait_seconds": {
                "type": "integer", "minimum": 0, "maximum": MAX_WAIT,
                "description": "Wait so long for its end first."
            }
        },
        "required": ["job"],
        "additionalProperties": false
    })
}

fn stopping_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "job": { "type": "integer" } },
        "required": ["job"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for ShellOutputTool {
    fn definition(&self) -> ToolDefinition {
        definition("shell_output", include_str!("../shell_output.md"), reading_schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        access(call)
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Reading = match arguments(call, &reading_schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let job = match job(&self.jobs, wanted.job) {
            Ok(job) => job,
            Err(output) => return output,
        };
        if let Some(seconds @ 1..) = wanted.wait_seconds {
            tokio::select! {
                () = job.wait(Duration::from_secs(seconds.min(MAX_WAIT))) => {}
                () = context.cancel.cancelled() => return ToolOutput::error(CANCELLED),
            }
        }
        report(&job, &self.runner)
    }
}

#[async_trait]
impl Tool for ShellStopTool {
    fn definition(&self) -> ToolDefinition {
        definition("shell_stop", include_str!("../shell_stop.md"), stopping_schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        access(call)
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let wanted: Stopping = match arguments(call, &stopping_schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let job = match job(&self.jobs, wanted.job) {
            Ok(job) => job,
            Err(output) => return output,
        };
        job.stop().await;
        report(&job, &self.runner)
    }
}

/// Both touch only what the session itself has started.
fn access(call: &ToolCall) -> Access {
    let subject =
        call.input.get("job").map(|job| job.as_str().map_or_else(|| job.to_string(), str::to_owned));
    Access { effect: Effect::Read, subject }
}

fn report(job: &Job, runner: &CommandRunner) -> ToolOutput {
    let (written, lines) = job.read(|written, ending| {
        let nothing = written.is_empty().then(|| "[no new output]".to_owned());
        let (note, state) = match ending {
            None => (None, format!("[it runs since {} s]", job.age().as_secs())),
            Some(ending) => (runner.note(written, ending), ending_line(ending, None)),
        };
        nothing.into_iter().chain(note).chain([state]).collect::<Vec<_>>()
    });
    ToolOutput { bytes: with_lines(written, &lines), ..ToolOutput::default() }
}

fn job(jobs: &Jobs, number: u64) -> Result<Arc<Job>, ToolOutput> {
    jobs.get(number).ok_or_else(|| {
        let known: Vec<String> = jobs
            .all()
            .iter()
            .map(|(number, job)| {
                let state = if job.runs() { "runs" } else { "has ended" };
                format!("{number} ({}; {state})", cut_end(&job.command, 80))
            })
            .collect();
        ToolOutput::error(match known.as_slice() {
            [] => format!("There is no job {number}. Start one with shell and background: true; jobs end with the session."),
            known => format!("There is no job {number}. The jobs are: {}.", known.join(", ")),
        })
    })
}
