//! The tools that read the output of background jobs and end them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition};
use throughline_text::cut_end;

use super::job::Job;
use super::job_texts;
use super::jobs::Jobs;
use super::runner::CommandRunner;
use super::{ending_line, with_lines};
use crate::access::{Access, Effect};
use crate::arguments::arguments;
use crate::builtin::definition::definition;
use crate::output::ToolOutput;
use crate::run::CANCELLED;
use crate::tool::{Tool, ToolContext};

/// Longest wait of a call, in seconds.
const MAX_WAIT: u64 = 600;

/// `shell_output`: the output of a background job since the last read, and its state.
#[derive(Debug)]
pub(in crate::builtin) struct ShellOutputTool {
    jobs: Jobs,
    runner: CommandRunner,
}

/// `shell_stop`: ends a background job.
#[derive(Debug)]
pub(in crate::builtin) struct ShellStopTool {
    jobs: Jobs,
    runner: CommandRunner,
}

impl ShellOutputTool {
    pub(in crate::builtin) fn new(jobs: Jobs, runner: CommandRunner) -> Self {
        Self { jobs, runner }
    }
}

impl ShellStopTool {
    pub(in crate::builtin) fn new(jobs: Jobs, runner: CommandRunner) -> Self {
        Self { jobs, runner }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OutputArguments {
    job: u64,
    #[serde(default)]
    wait_seconds: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StopArguments {
    job: u64,
}

#[async_trait]
impl Tool for ShellOutputTool {
    fn definition(&self) -> ToolDefinition {
        let properties = json!({
            "job": { "type": "integer" },
            "wait_seconds": {
                "type": "integer", "minimum": 0, "maximum": MAX_WAIT,
                "description": "Wait so long for its end first."
            }
        });
        definition("shell_output", include_str!("../shell_output.md"), properties, &["job"])
    }

    fn access(&self, call: &ToolCall) -> Access {
        access(call)
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: OutputArguments = match arguments(call, &self.definition().input_schema) {
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
        let properties = json!({ "job": { "type": "integer" } });
        definition("shell_stop", include_str!("../shell_stop.md"), properties, &["job"])
    }

    fn access(&self, call: &ToolCall) -> Access {
        access(call)
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let wanted: StopArguments = match arguments(call, &self.definition().input_schema) {
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

/// Both tools reach only jobs that the session itself started.
fn access(call: &ToolCall) -> Access {
    let subject =
        call.input.get("job").map(|job| job.as_str().map_or_else(|| job.to_string(), str::to_owned));
    Access { effect: Effect::Read, subject }
}

fn report(job: &Job, runner: &CommandRunner) -> ToolOutput {
    let (written, lines) = job.read(|written, ending| {
        let nothing = written.is_empty().then(|| "[no new output]".to_owned());
        let (note, state) = match ending {
            None => (None, job_texts::running(job.age().as_secs())),
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
