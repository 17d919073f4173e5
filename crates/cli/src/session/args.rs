//! Arguments that name a session and say what works in it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throughline::{Config, ConfigSources, Policy, ToolSet};
use throughline_settings::{Flag, keys};

use super::mode::{ModeName, flags};
use super::model_args::ModelArgs;
use super::which::Which;
use crate::policy::policy_parser;
use crate::size::parse_tokens;

/// Which session, which model and which tools.
#[derive(Debug, Clone, Args)]
pub(crate) struct SessionArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Goes on when a model cannot answer, as PROVIDER/MODEL; may be repeated. One of the first model's provider is asked
    /// at the same address, with the same key, headers and window
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) fallback: Vec<String>,
    /// Tokens of one answer at most [default: what the model allows, up to 16,384]
    #[arg(long, value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) max_tokens: Option<u64>,
    /// Go on with the newest session of this folder
    #[arg(long = "continue", short = 'c', conflicts_with = "resume")]
    pub(crate) go_on: bool,
    /// Go on with a session: its id, the start of one, `last`, or words of its title [on the screen: a list to choose from]
    #[arg(long, short, value_name = "SESSION", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "the option may stand without a value")]
    pub(crate) resume: Option<Option<String>>,
    /// With --continue or --resume: leave that session as it is, and go on in a copy of it
    #[arg(long)]
    pub(crate) fork: bool,
    /// Folder to work in [default: the current one]
    // A name of its own, apart from the option of that name that `memos` has for all that is below it.
    #[arg(id = "session_workspace", long = "workspace", value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
    /// Tools that the model is given
    #[arg(long, value_enum, default_value_t = ToolsArg::All, value_name = "WHICH")]
    pub(crate) tools: ToolsArg,
    /// How much runs without asking [default: ask on the screen; without one auto-edit, and commands]
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) mode: Option<ModeName>,
    /// Let this run, for example 'shell(cargo test *)' or 'fetch(domain:example.com)'; may be repeated
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// Never let this run; may be repeated
    #[arg(long, value_name = "RULE")]
    pub(crate) deny: Vec<String>,
    /// File of settings, TOML or JSON, instead of the user's own
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Policy of the engine [default: that of the settings file, then throughline]
    #[arg(long, value_parser = policy_parser(), value_name = "NAME")]
    pub(crate) policy: Option<Policy>,
}

/// Which tools the model is given.
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

impl SessionArgs {
    /// The effective settings.
    pub(crate) fn settings(&self, data_dir: Option<PathBuf>) -> anyhow::Result<Config> {
        let policy = self.policy.map(|policy| Flag {
            name: "--policy",
            key: keys::POLICY.name(),
            text: policy.name().to_owned(),
        });
        let flags = flags(self.mode, &self.allow, &self.deny);
        Ok(Config::load(ConfigSources {
            file: self.config.as_deref(),
            workspace: self.workspace.as_deref(),
            data_dir,
            flags: flags.into_iter().chain(policy).collect(),
        })?)
    }

    /// The session that is named.
    pub(crate) fn which(&self) -> Which {
        match (&self.resume, self.go_on) {
            (Some(Some(name)), _) => Which::Named(name.clone()),
            (Some(None), _) => Which::Choose,
            (None, true) => Which::Newest,
            (None, false) => Which::New,
        }
    }
}
