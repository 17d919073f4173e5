//! Arguments that name a session, its model and its tools.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throughline::{Policy, ToolSet};
use throughline_audit::Economy;
use throughline_commands::{SessionChoice, Which};
use throughline_config::{Config, workspace};
use throughline_session::{RunOptions, RunSources, this_program};
use throughline_settings::{Flag, keys};

use super::mode::{ModeName, flags};
use super::model_args::{ModelArgs, parse_fallback};
use crate::policy::{economy_parser, policy_parser};
use crate::size::parse_tokens;
use crate::telemetry;

/// Which model, which tools and which settings.
#[derive(Debug, Clone, Args)]
pub(crate) struct AgentArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Model to use if the one before fails, as PROVIDER/MODEL; repeatable. A fallback of the first model's provider uses the
    /// same address, key, headers and window
    #[arg(hide_short_help = true, long, value_name = "PROVIDER/MODEL", value_parser = parse_fallback)]
    pub(crate) fallback: Vec<String>,
    /// Maximum tokens of one answer [default: what the model allows, at most 16,384]
    #[arg(hide_short_help = true, long, value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) max_tokens: Option<u64>,
    /// Tools to offer to the model
    #[arg(long, value_enum, default_value_t = ToolsArg::All, value_name = "WHICH")]
    pub(crate) tools: ToolsArg,
    /// Permission mode [default: ask on the screen and in an editor, else auto-edit, and commands in the sandbox]
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) mode: Option<ModeName>,
    /// Allow calls that match a rule, such as 'shell(cargo test *)' or 'fetch(domain:example.com)'; repeatable
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// Deny calls that match a rule; repeatable
    #[arg(hide_short_help = true, long, value_name = "RULE")]
    pub(crate) deny: Vec<String>,
    /// Settings file, TOML or JSON, instead of the user's own
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Maximum that the session may cost, such as '5 USD': it stops before the request that would pass it
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) max_cost: Option<String>,
    /// Context policy [default: from the settings, else throughline]
    #[arg(hide_short_help = true, long, value_parser = policy_parser(), value_name = "NAME")]
    pub(crate) policy: Option<Policy>,
    /// How soon policy throughline compacts for the price [default: from the settings, else faithful]
    #[arg(hide_short_help = true, long, value_parser = economy_parser(), value_name = "NAME")]
    pub(crate) economy: Option<Economy>,
}

/// Which session, and the agent that works in it.
#[derive(Debug, Clone, Args)]
pub(crate) struct SessionArgs {
    #[command(flatten)]
    pub(crate) agent: AgentArgs,
    /// Continue the newest session of this folder
    #[arg(long = "continue", short = 'c', conflicts_with = "resume")]
    pub(crate) newest: bool,
    /// Resume a session: its id, the start of one, `last`, or words of its title [without a value: choose from a list]
    #[arg(long, short, value_name = "SESSION", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "the option may stand without a value")]
    pub(crate) resume: Option<Option<String>>,
    /// Set from the global option.
    #[arg(skip)]
    pub(crate) any_folder: bool,
    /// With --continue or --resume: work in a copy of the session
    #[arg(long)]
    pub(crate) fork: bool,
    /// Folder to work in [default: the current one]
    // Its own id, distinct from the global option `--workspace` of `memos`.
    #[arg(id = "session_workspace", long = "workspace", value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
}

/// The tools of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolsArg {
    /// Reading, searching, writing, and the shell
    All,
    /// Reading and searching only
    Read,
    /// None
    None,
}

impl ToolsArg {
    pub(crate) fn set(self) -> ToolSet {
        match self {
            Self::All => ToolSet::All,
            Self::Read => ToolSet::Read,
            Self::None => ToolSet::None,
        }
    }
}

impl AgentArgs {
    /// What every run with these arguments has in common. `max_requests`: most requests of a turn.
    pub(crate) fn options(&self, max_requests: Option<u64>) -> RunOptions {
        RunOptions {
            model: self.model.choice(),
            fallbacks: self.fallback.clone(),
            max_output_tokens: self.max_tokens,
            tools: self.tools.set(),
            max_requests,
            listeners: telemetry::listeners(),
        }
    }

    /// Where the settings come from.
    pub(crate) fn sources(&self, data_dir: Option<PathBuf>) -> RunSources {
        let policy = self.policy.map(|policy| Flag {
            name: "--policy",
            key: keys::POLICY.name(),
            text: policy.name().to_owned(),
        });
        let economy = self.economy.map(|economy| Flag {
            name: "--economy",
            key: keys::ECONOMY.name(),
            text: economy.name().to_owned(),
        });
        let max_cost = self.max_cost.as_ref().map(|amount| Flag {
            name: "--max-cost",
            key: keys::COST.name(),
            text: amount.clone(),
        });
        let flags = flags(self.mode, &self.allow, &self.deny);
        RunSources {
            file: self.config.clone(),
            data_dir,
            flags: flags.into_iter().chain(policy).chain(economy).chain(max_cost).collect(),
            launcher: this_program(),
        }
    }
}

impl SessionArgs {
    /// The effective settings.
    pub(crate) fn settings(&self, data_dir: Option<PathBuf>) -> anyhow::Result<Config> {
        Ok(self.agent.sources(data_dir).load(self.workspace.as_deref())?)
    }

    /// The session that is named, and how it is opened.
    pub(crate) fn choice(&self) -> anyhow::Result<SessionChoice> {
        let folder = if self.any_folder { None } else { Some(workspace(self.workspace.as_deref())?) };
        Ok(SessionChoice { which: self.which(), fork: self.fork, folder })
    }

    /// The session that is named.
    pub(crate) fn which(&self) -> Which {
        match (&self.resume, self.newest) {
            (Some(Some(name)), _) => Which::Named(name.clone()),
            (Some(None), _) => Which::Choose,
            (None, true) => Which::Newest,
            (None, false) => Which::New,
        }
    }
}
