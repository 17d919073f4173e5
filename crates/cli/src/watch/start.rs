//! Starts an agent with our hooks and tools, for this run alone: no file of the user is written.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use throughline_commands::UsageError;
use throughline_commands::shell::{option, word};
use throughline_resultstore::OffloadPolicy;
use throughline_watch::{ForeignAgent, hook_settings, server_settings};

use super::pty::{self, Observed};
use super::settings::WatchSettings;
use super::{child, codex, gemini, opencode};
use crate::data_args::DataArgs;

/// This program, as an agent is to run it.
pub(super) struct OwnProgram {
    path: PathBuf,
    data_dir: Option<PathBuf>,
    /// When results are offered to the hook; `None`: never.
    pub(super) offload: Option<OffloadPolicy>,
}

impl OwnProgram {
    pub(super) fn new(data: &DataArgs) -> anyhow::Result<Self> {
        let path = std::env::current_exe().context("the path of this program is not known")?;
        let data_dir = data.data_dir.as_deref().map(absolute).transpose();
        Ok(Self { path, data_dir: data_dir.context("the data folder has no path")?, offload: None })
    }

    /// The path, as text.
    pub(super) fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// The arguments of the MCP server.
    pub(super) fn server_args(&self) -> Vec<String> {
        let mut args = vec!["mcp".to_owned()];
        if let Some(folder) = &self.data_dir {
            args.extend(["--data-dir".to_owned(), folder.display().to_string()]);
        }
        args
    }

    /// The command line of a hook, for a shell.
    pub(super) fn hook(&self, agent: ForeignAgent) -> String {
        format!(
            "{}{} watch --hook {agent}",
            word(&self.path()),
            option("--data-dir", self.data_dir.as_deref())
        )
    }
}

/// What the command line says of watching the program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// The screen is to be watched even where hooks work.
    pub(super) screen: bool,
    /// The agent whose sessions the program writes.
    pub(super) agent: Option<ForeignAgent>,
    /// Large results are to be offloaded.
    pub(super) offload: bool,
}

/// Starts the program, in place of this one where nothing is left to do after it. Returns its exit code, or why it cannot be
/// started.
pub(super) async fn start(command: &[OsString], choice: Choice, data: &DataArgs) -> anyhow::Result<ExitCode> {
    let Some((program, arguments)) = command.split_first() else {
        bail!(UsageError("name a program".to_owned()))
    };
    if data.database.is_some() {
        // Hooks and tool servers are other processes, and a list of processes shows their arguments.
        let why = "--database is not for watching: set storage.database, which the hooks read too";
        bail!(UsageError(why.to_owned()))
    }
    if data.blobs.is_some() {
        let why = "--blobs is not for watching: set storage.blobs, which the hooks read too";
        bail!(UsageError(why.to_owned()))
    }
    let settings = WatchSettings::load(data)?;
    let mut own = OwnProgram::new(data)?;
    let mut watched = Command::new(program);
    let (mut agent, mut folder) = (choice.agent, None);
    let known = agent_of(program).filter(|own| agent.is_none_or(|named| named == *own));
    let hooked = known.filter(|agent| agent.takes_hooks());
    if choice.offload && hooked.is_none() {
        bail!(UsageError(
            "--offload needs hooks that replace results, which watch gives to claude, codex and opencode"
                .to_owned()
        ));
    }
    own.offload =
        hooked.filter(|_| choice.offload || settings.offload).map(|agent| settings.offload_policy(agent));
    match hooked {
        Some(ForeignAgent::Claude) => claude(&mut watched, arguments, &own)?,
        Some(ForeignAgent::Codex) => {
            codex::check(arguments)?;
            watched.args(codex::overrides(program, &own)?).args(arguments);
        }
        Some(ForeignAgent::OpenCode) => {
            folder = Some(opencode::plugin_folder(&mut watched, &own)?);
            watched.args(arguments);
        }
        Some(ForeignAgent::Gemini) | None => _ = watched.args(arguments),
    }
    agent = agent.or(known);
    let restores = hooked.is_some() || agent == Some(ForeignAgent::Gemini) && gemini::has_own_hook();
    let ended = if choice.screen || hooked.is_none() {
        let observed = Observed { agent, hooked: restores, settings };
        pty::run(&watched, observed, data).await
    } else if folder.is_some() {
        child::run(watched).await
    } else {
        Err(watched.exec().into())
    };
    if let Some(folder) = folder {
        folder.close()?;
    }
    ended.with_context(|| not_started(program))
}

fn not_started(program: &OsStr) -> String {
    format!("cannot start {}; check that it is installed", program.to_string_lossy())
}

/// The agent that a program is by its name.
fn agent_of(program: &OsStr) -> Option<ForeignAgent> {
    ForeignAgent::of(&Path::new(program).file_name()?.to_string_lossy())
}

/// Gives Claude Code its hooks and tools.
fn claude(watched: &mut Command, arguments: &[OsString], own: &OwnProgram) -> anyhow::Result<()> {
    let sets = |argument: &&OsString| {
        argument.to_str().is_some_and(|text| text == "--settings" || text.starts_with("--settings="))
    };
    if arguments.iter().any(|argument| sets(&argument)) {
        bail!(UsageError(
            "watch gives claude its hooks by --settings; put your own into a settings file of claude"
                .to_owned()
        ));
    }
    let offload = own.offload.is_some();
    let server = server_settings(&own.path(), &own.server_args(), offload);
    // `--mcp-config` takes several values, so another option follows it.
    watched.arg("--mcp-config").arg(server.to_string()).arg("--settings");
    let hooks = hook_settings(&own.hook(ForeignAgent::Claude), offload);
    watched.arg(hooks.to_string()).args(arguments);
    Ok(())
}
