//! The port that runs hooks.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_tools::CancelFlag;

use crate::hook::Hook;

/// How a hook ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookEnding {
    /// It exited with this status.
    Exit(i32),
    /// It took longer than it may.
    TimedOut,
    /// The user stopped the turn.
    Cancelled,
    /// It could not be started, or its end is not known.
    Failed(String),
}

/// What a hook left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookRun {
    /// How it ended.
    pub ending: HookEnding,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

/// Runs the commands of hooks.
///
/// # Contract
/// - MUST give the hook this input and close it, and run it in the session's workspace.
/// - MUST end the command, with all its processes, after its time, when the flag is raised, and when the future is dropped.
/// - MUST limit the output that it holds in memory.
///
/// # When it fails
/// The run says so in its ending; the session continues.
#[async_trait]
pub trait HookRunner: Debug + Send + Sync {
    /// Runs a hook to its end.
    async fn run(&self, hook: &Hook, input: &str, cancel: &CancelFlag) -> HookRun;
}

const _: Option<&dyn HookRunner> = None;
