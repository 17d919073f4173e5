//! Starts an agent with our hooks and tools, for this run alone: no file of the user is written.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use serde_json::json;
use throughline_watch::{ForeignAgent, hook_settings};

use super::pty::{self, Observed};
use super::settings::WatchSettings;
use super::{child, codex, opencode};
use crate::data_args::DataArgs;
use crate::shell::{option, word};
use crate::usage::UsageError;

/// This program, as an agent is to run it.
pub(super) struct OwnProgram {
    path: PathBuf,
    data_dir: Option<PathBuf>,
}

impl OwnProgram {
    pub(super) fn new(data: &DataArgs) -> anyhow::Result<Self> {
        let path = std::env::current_exe().context("the path of this program is not known")?;
        let data_dir = data.data_dir.as_deref().map(absolute).transpose();
        Ok(Self { path, data_dir: data_dir.context("the data folder has no path")? })
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

/// What the command line says of watching the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScreenChoice {
    /// The screen is to be watched even where hooks work.
    pub(super) asked: bool,
    /// The agent whose sessions the program writes.
    pub(super) agent: Option<ForeignAgent>,
}

/// Starts the program, in place of this one where nothing is left to do after it. Returns its exit code, or why it cannot be
/// started.
pub(super) async fn start(
    command: &[OsString],
    screen: ScreenChoice,
    data: &DataArgs,
) -> anyhow::Result<ExitCode> {
    let Some((program, arguments)) = command.split_first() else {
        bail!(UsageError("name a program".to_owned()))
    };
    let settings = WatchSettings::load(data)?;
    let own = OwnProgram::new(data)?;
    let mut watched = Command::new(program);
    let (mut agent, mut folder) = (screen.agent, None);
    let hooked = agent_of(program).filter(|own| agent.is_none_or(|named| named == *own));
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
        None => _ = watched.args(arguments),
    }
    agent = agent.or(hooked);
    let ended = if screen.asked || hooked.is_none() {
        let observed = Observed { agent, hooked: hooked.is_some(), settings };
        pty::run(&watched, observed, data).await
    } else if folder.is_some() {
        child::run(watched).await
    } else {
        Err(watched.exec().into())
    };
    if let Some(folder) = folder {
        folder.close().context("cannot remove the folder of the plugin")?;
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
    let server = json!({"mcpServers": {"throughline": {"command": own.path(), "args": own.server_args()}}});
    // `--mcp-config` takes several values, so another option follows it.
    watched.arg("--mcp-config").arg(server.to_string()).arg("--settings");
    watched.arg(hook_settings(&own.hook(ForeignAgent::Claude)).to_string()).args(arguments);
    Ok(())
}
