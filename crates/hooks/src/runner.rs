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

/// Runs hooks.
///
/// # Contract
/// - MUST give a command this input and close it, and run it in the session's workspace.
/// - MUST end what it began, a command with all its processes, after its time, when the flag is raised, and when the future is
///   dropped.
/// - MUST limit the output that it holds in memory.
/// - The output of a judge is its answer to [`judge_message`](crate::judge_message), of a request the body that came back. Both have
///   exit status 0 if there is one; a request whose status is not 2xx has failed.
///
/// # When it fails
/// The run says so in its ending; the session continues.
#[async_trait]
pub trait HookRunner: Debug + Send + Sync {
    /// Runs a hook to its end.
    async fn run(&self, hook: &Hook, input: &str, cancel: &CancelFlag) -> HookRun;
}

const _: Option<&dyn HookRunner> = None;
