//! Prepares an agent with our hooks and tools, for one run: no file of the user is written.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf, absolute};
use std::process::Command;

use serde_json::Value;
use throughline_resultstore::OffloadPolicy;
use throughline_store::DataDir;
use throughline_stored::Attempt as _;
use throughline_text::shell_word;
use throughline_tools::TempFolder;

use crate::agent::ForeignAgent;
use crate::claude_hooks::{runs_hooks, settings_files};
use crate::claude_settings::{OPTION, SettingsMap, merged, taken};
use crate::compactor::module_folder;
use crate::failure::{Result, WatchError};
use crate::hooks::{hook_settings, server_settings};
use crate::settings::WatchSettings;
use crate::{codex_launch, gemini_settings, opencode_launch};

/// This program, as an agent is to run it.
#[derive(Debug, Clone)]
pub struct OwnProgram {
    path: PathBuf,
    data_dir: Option<PathBuf>,
    /// When results are offered to the hook; `None`: never.
    pub(crate) offload: Option<OffloadPolicy>,
}

impl OwnProgram {
    /// The program that runs, with this data folder. It answers hooks as `PROGRAM watch --hook AGENT`, and serves MCP as
    /// `PROGRAM mcp`.
    ///
    /// # Errors
    /// Its path is not known.
    pub fn current(data_dir: Option<&Path>) -> Result<Self> {
        let path = std::env::current_exe().attempt(|| "the path of this program is not known".to_owned())?;
        let data_dir = data_dir.map(absolute).transpose();
        let data_dir = data_dir.attempt(|| "the data folder has no path".to_owned())?;
        Ok(Self { path, data_dir, offload: None })
    }

    /// The path, as text.
    pub(crate) fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// The arguments of the MCP server.
    pub(crate) fn server_args(&self) -> Vec<String> {
        [vec!["mcp".to_owned()], self.data_words()].concat()
    }

    /// The option that names the data folder, if one is named.
    fn data_words(&self) -> Vec<String> {
        let named = |folder: &PathBuf| vec!["--data-dir".to_owned(), folder.display().to_string()];
        self.data_dir.as_ref().map(named).unwrap_or_default()
    }

    /// The command of a hook, word by word.
    fn hook_words(&self, agent: ForeignAgent) -> Vec<String> {
        let hook = ["watch", "--hook", agent.name()].map(str::to_owned).to_vec();
        [vec![self.path()], self.data_words(), hook].concat()
    }

    /// The command line of a hook, for a shell.
    pub(crate) fn hook(&self, agent: ForeignAgent) -> String {
        let words: Vec<String> = self.hook_words(agent).iter().map(|word| shell_word(word)).collect();
        words.join(" ")
    }
}

/// What the user says of the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct LaunchChoice {
    /// The agent whose sessions it writes.
    pub agent: Option<ForeignAgent>,
    /// Large results are to be offloaded.
    pub offload: bool,
}

/// A program that is ready to be started.
#[derive(Debug)]
pub struct Launch {
    /// The program with its arguments and variables.
    pub command: Command,
    /// The agent whose sessions it writes, where that is known.
    pub agent: Option<ForeignAgent>,
    /// It has our hooks for this run, and runs them.
    pub is_hooked: bool,
    /// Its contexts are restored by a hook, ours for this run or the user's own.
    pub restores: bool,
    /// What has to exist while it runs, and to be closed afterwards.
    pub folder: Option<TempFolder>,
}

/// Gives a program our hooks and tools, if it is an agent that takes them.
///
/// # Errors
/// Hooks in its arguments cannot be read, `offload` is asked of a program without hooks, or a file cannot be written.
pub fn launch(
    program: &OsStr,
    arguments: &[OsString],
    choice: LaunchChoice,
    settings: &WatchSettings,
    mut own: OwnProgram,
) -> Result<Launch> {
    let known = agent_of(program).filter(|own| choice.agent.is_none_or(|named| named == *own));
    let mut hooked = known.filter(|agent| agent.takes_hooks());
    let (given, arguments) = match hooked {
        Some(ForeignAgent::Claude) => taken(arguments)?,
        _ => (None, arguments.to_vec()),
    };
    // Without hooks it is watched like a program that has none.
    if hooked == Some(ForeignAgent::Claude) && !runs_hooks(given.as_ref(), &arguments, &settings_files()) {
        hooked = None;
    }
    if choice.offload && hooked.is_none() {
        return Err(WatchError::usage(
            "--offload needs hooks that replace results, which watch gives to claude, codex and opencode",
        ));
    }
    own.offload =
        hooked.filter(|_| choice.offload || settings.offload).map(|agent| settings.offload_policy(agent));
    let (mut command, mut folder) = (Command::new(program), None);
    match hooked {
        Some(ForeignAgent::Claude) => {
            claude(&mut command, given.unwrap_or_default(), &own, settings)?;
            command.args(arguments);
        }
        Some(ForeignAgent::Codex) => {
            command.args(codex_launch::arguments(program, &arguments, &own)?);
        }
        Some(ForeignAgent::OpenCode) => {
            folder = Some(opencode_launch::plugin_folder(&mut command, &own)?);
            command.args(arguments);
        }
        Some(ForeignAgent::Gemini) | None => {
            let given = given.map(|given| [OPTION.to_owned(), Value::Object(given).to_string()]);
            command.args(given.into_iter().flatten()).args(arguments);
        }
    }
    let agent = choice.agent.or(known);
    let has_own = agent == Some(ForeignAgent::Gemini) && gemini_settings::has_own_hook();
    Ok(Launch { command, agent, is_hooked: hooked.is_some(), restores: hooked.is_some() || has_own, folder })
}

/// What is wrong with a program that cannot be started.
#[must_use]
pub fn not_started(program: &OsStr) -> String {
    format!("cannot start {}; check that it is installed", program.to_string_lossy())
}

/// The agent that a program is by its name.
fn agent_of(program: &OsStr) -> Option<ForeignAgent> {
    ForeignAgent::of(&Path::new(program).file_name()?.to_string_lossy())
}

/// Gives Claude Code its hooks and tools, and the user's settings of the run.
fn claude(
    command: &mut Command,
    given: SettingsMap,
    own: &OwnProgram,
    settings: &WatchSettings,
) -> Result<()> {
    let offload = own.offload.is_some();
    let server = server_settings(&own.path(), &own.server_args(), offload);
    // `--mcp-config` takes several values, so another option follows it.
    let hooks = hook_settings(&own.hook(ForeignAgent::Claude), offload);
    let joined = merged(given, hooks)?;
    command.arg("--mcp-config").arg(server.to_string()).arg(OPTION).arg(joined.to_string());
    // Without a data folder nothing can be stored, which the hooks say.
    if let Some(data) = DataDir::place(own.data_dir.clone()).filter(|_| settings.compactor) {
        let words = own.hook_words(ForeignAgent::Claude);
        command.arg("--plugin-dir").arg(module_folder(&data, &words)?);
    }
    Ok(())
}
