//! Runs the commands of hooks: a project's in the sandbox, the user's own outside of it, unless the settings say otherwise.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use throughline_config::Config;
use throughline_hooks::{Hook, HookEnding, HookOrigin, HookRun, HookRunner};
use throughline_settings::keys;
use throughline_tools::{CancelFlag, CommandEnding, CommandRunner, ToolContext};

use crate::tools::{free_runner, runner};

/// Runs the hooks of one session.
#[derive(Debug)]
pub(super) struct SessionRunner {
    sandboxed: CommandRunner,
    free: CommandRunner,
    /// Which hooks run in the sandbox: `project`, `all` or `none`.
    choice: String,
    workspace: PathBuf,
    project: PathBuf,
}

impl SessionRunner {
    pub(super) fn new(config: &Config, workspace: &Path, fixed: &[PathBuf]) -> Self {
        Self {
            sandboxed: runner(config, workspace, fixed),
            free: free_runner(config),
            choice: config.resolved.get(keys::HOOKS_SANDBOX).unwrap_or_else(|| "project".to_owned()),
            workspace: workspace.to_owned(),
            project: config.project.root.clone(),
        }
    }

    fn runner(&self, hook: &Hook) -> &CommandRunner {
        let in_sandbox = match self.choice.as_str() {
            "all" => true,
            "none" => false,
            _ => hook.origin == HookOrigin::Project,
        };
        if in_sandbox { &self.sandboxed } else { &self.free }
    }
}

#[async_trait]
impl HookRunner for SessionRunner {
    async fn run(&self, hook: &Hook, input: &str, cancel: &CancelFlag) -> HookRun {
        let context = ToolContext { cancel: cancel.clone(), ..ToolContext::new(&self.workspace) };
        let project = self.project.display().to_string();
        let variables = [("CLAUDE_PROJECT_DIR", project.clone()), ("THROUGHLINE_PROJECT_DIR", project)];
        let runner = self.runner(hook);
        let ran = runner.run_piped(&hook.command, &context, hook.timeout, input, &variables).await;
        let (output, ending) = match ran {
            Ok((output, ending)) => (output, ending_of(ending)),
            Err(error) => {
                (Default::default(), HookEnding::Failed(format!("it could not be started: {error}")))
            }
        };
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        HookRun { ending, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

fn ending_of(ending: CommandEnding) -> HookEnding {
    match ending {
        CommandEnding::Exit(status) => HookEnding::Exit(status),
        CommandEnding::TimedOut => HookEnding::TimedOut,
        CommandEnding::Cancelled => HookEnding::Cancelled,
        CommandEnding::Signal(signal) => HookEnding::Failed(format!("it was ended by signal {signal}")),
        CommandEnding::TooMuchOutput(bytes) => {
            HookEnding::Failed(format!("it was ended after {bytes} bytes"))
        }
        CommandEnding::Unknown(error) => HookEnding::Failed(format!("its status is unknown: {error}")),
    }
}
