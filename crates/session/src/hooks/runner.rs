//! Runs hooks: a project's commands in the sandbox, the user's own outside of it, unless the settings say otherwise; requests by the
//! rules of the tool `fetch`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use throughline_config::Config;
#[cfg(feature = "fetch")]
use throughline_fetch::{FetchPolicy, post_json};
use throughline_hooks::{Hook, HookAction, HookEnding, HookOrigin, HookRun, HookRunner, HttpTarget};
use throughline_plugins::ROOT_VARIABLE;
use throughline_settings::keys;
use throughline_tools::{CancelFlag, CommandEnding, CommandRunner, ToolContext};

use super::judge::Judge;
use crate::tools::free_runner;

/// Bytes of an answer at most.
#[cfg(feature = "fetch")]
const MAX_BODY: usize = 256 * 1024;

/// Runs the hooks of one session.
#[derive(Debug)]
pub(super) struct SessionRunner {
    pub(super) commands: CommandHooks,
    pub(super) judge: Arc<Judge>,
    /// Hosts of this machine and its network that may be reached.
    #[cfg_attr(not(feature = "fetch"), expect(dead_code, reason = "nothing is sent without it"))]
    pub(super) allowed: Vec<String>,
}

#[async_trait]
impl HookRunner for SessionRunner {
    async fn run(&self, hook: &Hook, input: &str, cancel: &CancelFlag) -> HookRun {
        match &hook.action {
            HookAction::Command(command) => self.commands.run(hook, command, input, cancel).await,
            HookAction::Prompt(_) => self.judge.run(hook, input, cancel).await,
            HookAction::Http(target) => {
                let (ending, stdout) = tokio::select! {
                    biased;
                    () = cancel.cancelled() => (HookEnding::Cancelled, String::new()),
                    answer = self.send(hook, target, input) => match answer {
                        Ok(body) => (HookEnding::Exit(0), body),
                        Err(why) => (HookEnding::Failed(why), String::new()),
                    },
                };
                HookRun { ending, stdout, stderr: String::new() }
            }
        }
    }
}

impl SessionRunner {
    /// Sends an event. Returns the body of a good answer.
    #[cfg(feature = "fetch")]
    async fn send(&self, hook: &Hook, target: &HttpTarget, input: &str) -> Result<String, String> {
        let mut policy = FetchPolicy::new().time(hook.timeout).most_bytes(MAX_BODY);
        for host in &self.allowed {
            policy = policy.allowing(host).map_err(|error| error.to_string())?;
        }
        if hook.origin == HookOrigin::User {
            // The user named it.
            policy = policy.allowing_url(&target.url).map_err(|error| error.to_string())?;
        }
        let headers = target.headers(|name| std::env::var(name).ok());
        let answer = post_json(&target.url, &headers, input.to_owned(), &policy).await?;
        match answer.status {
            200..300 => Ok(answer.body),
            status => Err(format!("the server answered with status {status}")),
        }
    }

    #[cfg(not(feature = "fetch"))]
    async fn send(&self, _: &Hook, _: &HttpTarget, _: &str) -> Result<String, String> {
        Err("this build sends nothing over the network: it is built without the feature `fetch`".to_owned())
    }
}

/// Runs commands.
#[derive(Debug)]
pub(super) struct CommandHooks {
    sandboxed: CommandRunner,
    free: CommandRunner,
    /// Which hooks run in the sandbox: `project`, `all` or `none`.
    choice: String,
    workspace: PathBuf,
    project: PathBuf,
}

impl CommandHooks {
    pub(super) fn new(config: &Config, workspace: &Path, sandboxed: CommandRunner) -> Self {
        Self {
            sandboxed,
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

    async fn run(&self, hook: &Hook, command: &str, input: &str, cancel: &CancelFlag) -> HookRun {
        let context = ToolContext { cancel: cancel.clone(), ..ToolContext::new(&self.workspace) };
        let project = self.project.display().to_string();
        let mut variables =
            vec![("CLAUDE_PROJECT_DIR", project.clone()), ("THROUGHLINE_PROJECT_DIR", project)];
        variables.extend(hook.plugin.as_ref().map(|folder| (ROOT_VARIABLE, folder.display().to_string())));
        let runner = self.runner(hook);
        let ran = runner.run_piped(command, &context, hook.timeout, input, &variables).await;
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
