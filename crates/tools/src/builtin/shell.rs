//! Runs a command.

mod job;
mod job_texts;
mod job_tools;
mod jobs;
mod output_buffer;
mod piped;
mod process;
mod runner;
mod running_command;
mod screen_text;

use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition};

pub use self::job::JobInfo;
pub use self::job_texts::{says_that_it_runs, started_job};
pub(super) use self::job_tools::{ShellOutputTool, ShellStopTool};
use self::jobs::JobError;
pub use self::jobs::Jobs;
use self::screen_text::screen_text;

pub use self::piped::PipedOutput;
pub use self::process::CommandEnding;
pub use self::runner::CommandRunner;
use super::definition::definition;
use crate::access::{Access, Effect};
use crate::arguments::arguments;
use crate::output::ToolOutput;
use crate::run::CANCELLED;
use crate::tool::{Tool, ToolContext};

/// Default time limit of a command, in seconds.
const SECONDS: u64 = 120;

/// Largest time limit that a call may set, in seconds.
const MAX_SECONDS: u64 = 3_600;

/// `shell`: runs a command in its own process group and ends the whole group with it, or starts it as a background job.
#[derive(Debug)]
pub(super) struct ShellTool {
    runner: CommandRunner,
    jobs: Jobs,
}

impl ShellTool {
    pub(super) fn new(runner: CommandRunner, jobs: Jobs) -> Self {
        Self { runner, jobs }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    command: String,
    #[serde(default)]
    timeout_seconds: Option<u64>,
    #[serde(default)]
    background: bool,
}

#[async_trait]
impl Tool for ShellTool {
    fn definition(&self) -> ToolDefinition {
        let properties = json!({
            "command": { "type": "string", "description": "The command line; several lines are allowed." },
            "timeout_seconds": {
                "type": "integer", "minimum": 1, "maximum": MAX_SECONDS,
                "description": "Timeout in seconds: 120 by default, none in the background."
            },
            "background": { "type": "boolean", "description": "Answer at once and let it run." }
        });
        definition("shell", include_str!("shell.md"), properties, &["command"])
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Command, &call.input, "command")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        self.run(call, context).await.0
    }
}

impl ShellTool {
    /// Runs the call. The second value is true if its command still runs, as a job.
    pub(super) async fn run(&self, call: &ToolCall, context: &ToolContext) -> (ToolOutput, bool) {
        let wanted: Arguments = match arguments(call, &self.definition().input_schema) {
            Ok(wanted) => wanted,
            Err(output) => return (output, false),
        };
        if wanted.command.trim().is_empty() {
            let why = "The command is empty. Write what the shell should run.";
            return (ToolOutput::error(why), false);
        }
        if wanted.command.contains('\0') {
            let why = "The command has a zero byte, which no command line can have. Write it as \\0.";
            return (ToolOutput::error(why), false);
        }
        if wanted.background {
            let output = self.start(&wanted, context);
            let runs = !output.is_error;
            return (output, runs);
        }
        self.wait_for(&wanted, call, context).await
    }

    /// Runs a command and waits for it, until it has ended or the user makes a job of it.
    async fn wait_for(
        &self,
        wanted: &Arguments,
        call: &ToolCall,
        context: &ToolContext,
    ) -> (ToolOutput, bool) {
        let seconds = wanted.timeout_seconds.unwrap_or(SECONDS).clamp(1, MAX_SECONDS);
        let waiting = self.jobs.wait_for_release();
        let released = waiting.released();
        let mut running = match self.runner.begin(&wanted.command, &context.workspace) {
            Ok(running) => running,
            Err(error) => return (not_started(&error), false),
        };
        let ending = tokio::select! {
            biased;
            ending = running.wait(context, Duration::from_secs(seconds), &call.id) => ending,
            () = released => {
                let (written, number) = self.jobs.adopt(&self.runner, &wanted.command, running);
                let bytes = with_lines(screen_text(written), &[job_texts::moved(number)]);
                return (ToolOutput { bytes, ..ToolOutput::default() }, true);
            }
        };
        let written = running.end(context, &call.id).await;
        let note = self.runner.note(&written, &ending);
        let written = screen_text(written);
        let lines: Vec<String> = note.into_iter().chain([ending_line(&ending, Some(seconds))]).collect();
        let is_error = !matches!(ending, CommandEnding::Exit(0));
        (ToolOutput { bytes: with_lines(written, &lines), is_error, ..ToolOutput::default() }, false)
    }

    fn start(&self, wanted: &Arguments, context: &ToolContext) -> ToolOutput {
        let limit = wanted.timeout_seconds.map(|seconds| Duration::from_secs(seconds.clamp(1, MAX_SECONDS)));
        match self.jobs.start(&self.runner, &wanted.command, &context.workspace, limit) {
            Ok(number) => ToolOutput::text(job_texts::started(number)),
            Err(JobError::Failed(error)) => not_started(&error),
            Err(JobError::TooMany) => {
                let running: Vec<String> = self
                    .jobs
                    .all()
                    .iter()
                    .filter(|(_, job)| job.runs())
                    .map(|(n, _)| n.to_string())
                    .collect();
                ToolOutput::error(format!(
                    "Too many background jobs run already: {}. End one with shell_stop first.",
                    running.join(", ")
                ))
            }
        }
    }
}

fn not_started(error: &std::io::Error) -> ToolOutput {
    let hint = match error.kind() {
        // A missing working folder gives the same error as a missing program.
        std::io::ErrorKind::NotFound => " Is the workspace's folder still there?",
        std::io::ErrorKind::ArgumentListTooLong => " Write it to a file and run that.",
        _ => "",
    };
    ToolOutput::error(format!("The command could not be started: {error}.{hint}"))
}

/// The line that tells the model how a command ended. `seconds` is the time limit of a call that waited for it.
fn ending_line(ending: &CommandEnding, seconds: Option<u64>) -> String {
    match ending {
        CommandEnding::Exit(code) => format!("[exit status: {code}]"),
        CommandEnding::Signal(signal) => format!("[ended by signal {signal}]"),
        CommandEnding::TimedOut => match seconds {
            Some(seconds) => format!(
                "[timed out after {seconds} s; all its processes were ended. Set timeout_seconds, use background, or do less at once]"
            ),
            None => "[its time was over; all its processes were ended]".to_owned(),
        },
        CommandEnding::TooMuchOutput(bytes) => {
            format!(
                "[ended after {bytes} bytes of output: it would not have stopped. Write less, or into a file]"
            )
        }
        CommandEnding::Cancelled => CANCELLED.to_owned(),
        CommandEnding::Unknown(error) => format!("[its end is not known: {error}]"),
    }
}

/// Appends lines to the output of a command.
fn with_lines(mut bytes: Vec<u8>, lines: &[String]) -> Vec<u8> {
    if !bytes.is_empty() && bytes.last() != Some(&b'\n') {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(lines.join("\n").as_bytes());
    bytes
}
