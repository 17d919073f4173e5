//! Runs the quality gates, one after the other, in the workspace.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;
use throughline_config::Config;
use throughline_stored::Result;
use throughline_task::{Gate, GateEnd, GateResult, TaskFile};
use throughline_text::cut_start;
use throughline_tools::{CancelFlag, CommandEnding, CommandRunner, ToolContext};

use super::TaskObserver;
use crate::tools::gate_runner;

/// Bytes kept from the end of a gate's output.
const OUTPUT: usize = 64 * 1024;

/// Runs the quality gates of one task in one folder.
#[derive(Debug, Clone)]
pub struct TaskGates {
    runner: CommandRunner,
    workspace: PathBuf,
}

impl TaskGates {
    /// `fixed`: files that the gates, like the model, leave unchanged.
    ///
    /// # Errors
    /// The task has gates, which would need a sandbox, and this system has none.
    pub fn new(file: &TaskFile, config: &Config, workspace: &Path, fixed: &[PathBuf]) -> Result<Self> {
        let runner = match file.gates.is_empty() {
            true => CommandRunner::new(),
            false => gate_runner(config, workspace, fixed)?,
        };
        Ok(Self { runner, workspace: workspace.to_owned() })
    }
}

/// Runs every gate, also after a failure, so that the model learns of all failures at once. `None`: cancelled.
pub(super) async fn run(
    file: &TaskFile,
    gates: &TaskGates,
    observer: &dyn TaskObserver,
    cancel: &CancelFlag,
) -> Option<Vec<GateResult>> {
    let TaskGates { runner, workspace } = gates;
    let context = ToolContext { cancel: cancel.clone(), ..ToolContext::new(workspace) };
    let mut results = Vec::with_capacity(file.gates.len());
    for gate in &file.gates {
        let started = Instant::now();
        let result = run_one(gate, runner, &context).await?;
        let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let text = format!("gate {} [{:.1} s]", result.end.line(&gate.name), millis as f64 / 1_000.0);
        let value = json!({
            "type": "gate",
            "name": gate.name,
            "passed": result.end.passed(),
            "end": result.end,
            "duration_ms": millis,
        });
        observer.between(&text, &value);
        results.push(result);
    }
    Some(results)
}

async fn run_one(gate: &Gate, runner: &CommandRunner, context: &ToolContext) -> Option<GateResult> {
    let (output, end) = match runner.run(&gate.command, context, gate.timeout, "").await {
        Err(error) => (Vec::new(), GateEnd::Failed(format!("could not be started: {error}"))),
        Ok((output, ending)) => {
            let end = match ending {
                CommandEnding::Exit(status) => GateEnd::Exit(status),
                CommandEnding::Signal(signal) => GateEnd::Signal(signal),
                CommandEnding::TimedOut => GateEnd::TimedOut(gate.timeout.as_secs()),
                CommandEnding::TooMuchOutput(bytes) => {
                    GateEnd::Failed(format!("it was ended after {bytes} bytes of output"))
                }
                CommandEnding::Cancelled => return None,
                CommandEnding::Unknown(error) => {
                    GateEnd::Failed(format!("its exit status is unknown: {error}"))
                }
            };
            (output, end)
        }
    };
    let output = cut_start(&String::from_utf8_lossy(&output), OUTPUT).to_owned();
    Some(GateResult { name: gate.name.clone(), end, output })
}
