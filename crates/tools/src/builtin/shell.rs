//! Runs a command.

mod capture;
mod process;

use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

pub use self::process::{CommandEnding, run_command};
use super::definition;
use crate::{Access, CANCELLED, Effect, Tool, ToolContext, ToolOutput, arguments};

/// Seconds that a command may take unless the call says otherwise.
const SECONDS: u64 = 120;

/// Most seconds that a call may ask for.
const MAX_SECONDS: u64 = 3_600;

/// `shell`: runs a command in a process group of its own, and ends the whole group with it.
#[derive(Debug, Clone, Default)]
pub struct ShellTool {
    hidden: Vec<String>,
}

impl ShellTool {
    /// A shell whose commands do not get these environment variables: what a command prints goes to the model and
    /// into the log, and keys belong in neither.
    #[must_use]
    pub fn hiding(variables: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { hidden: variables.into_iter().map(Into::into).collect() }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    command: String,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "command": { "type": "string", "description": "The command line; several lines are allowed." },
            "timeout_seconds": {
                "type": "integer", "minimum": 1, "maximum": MAX_SECONDS,
                "description": "After so many seconds it is ended; 120 without it."
            }
        },
        "required": ["command"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for ShellTool {
    fn definition(&self) -> ToolDefinition {
        definition("shell", include_str!("shell.md"), schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Command, &call.input, "command")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        if wanted.command.trim().is_empty() {
            return ToolOutput::error("The command is empty. Write what the shell should run.");
        }
        let seconds = wanted.timeout_seconds.unwrap_or(SECONDS).clamp(1, MAX_SECONDS);
        match run_command(&wanted.command, &self.hidden, context, Duration::from_secs(seconds)).await {
            Err(error) => ToolOutput::error(format!("The command could not be started: {error}.")),
            Ok((written, ending)) => shown(written, &ending, seconds),
        }
    }
}

fn shown(mut bytes: Vec<u8>, ending: &CommandEnding, seconds: u64) -> ToolOutput {
    let last = match ending {
        CommandEnding::Exit(code) => format!("[exit status: {code}]"),
        CommandEnding::Signal(signal) => format!("[ended by signal {signal}]"),
        CommandEnding::TimedOut => format!(
            "[timed out after {seconds} s; all its processes were ended. Set timeout_seconds, or do less at once]"
        ),
        CommandEnding::Cancelled => CANCELLED.to_owned(),
        CommandEnding::Unknown(error) => format!("[its end is not known: {error}]"),
    };
    if !bytes.is_empty() && bytes.last() != Some(&b'\n') {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(last.as_bytes());
    ToolOutput { bytes, images: Vec::new(), is_error: !matches!(ending, CommandEnding::Exit(0)) }
}
