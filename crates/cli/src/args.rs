//! The command line.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use throughline_policies::{Estimator, Policy};

use crate::chat::args::ChatArgs;
use crate::checkpoints::args::CheckpointsArgs;
use crate::config::args::{ConfigArgs, TrustArgs};
use crate::context::args::ContextArgs;
use crate::diff::DiffArgs;
use crate::documents::args::{ScratchpadArgs, StateArgs};
use crate::groups::args::{RedoArgs, UndoArgs};
use crate::handoff::HandoffArgs;
use crate::memos::args::MemosArgs;
use crate::messages::args::MessagesArgs;
use crate::models::ModelsArgs;
use crate::policy::{estimator_parser, policy_parser};
use crate::run::args::RunArgs;
use crate::size::parse_tokens;
use crate::summaries::SummariesArgs;

/// Keeps long agent sessions going: budgets the context window, compacts it, stores what leaves it, resumes it.
#[derive(Debug, Parser)]
#[command(
    name = "throughline",
    version,
    after_help = include_str!("chat/help.md")
)]
pub(crate) struct Cli {
    /// Folder of the database and its locks [default: $XDG_DATA_HOME/throughline]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) data_dir: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) chat: ChatArgs,
}

impl Cli {
    /// Reads the command line.
    ///
    /// # Errors
    /// What is wrong with it, to be printed. An option of a session before a command would do nothing, so it is wrong.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let mut command = Self::command();
        command.build();
        let matches = command.clone().try_get_matches()?;
        if let Some((name, _)) = matches.subcommand() {
            let typed = |argument: &&clap::Arg| {
                let id = argument.get_id().as_str();
                id != DATA_DIR && matches.value_source(id) == Some(ValueSource::CommandLine)
            };
            let misplaced = command.get_arguments().find(typed).map(ToString::to_string);
            if let Some(argument) = misplaced {
                let why = format!(
                    "`{argument}` before `{name}` belongs to no command; write it behind, if `{name}` has it"
                );
                return Err(command.error(ErrorKind::ArgumentConflict, why));
            }
        }
        Self::from_arg_matches(&matches)
    }
}

/// The one option that every command takes from before it.
const DATA_DIR: &str = "data_dir";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Do one task with a real model, without a screen
    #[command(after_help = include_str!("run/files/help.md"))]
    Run(Box<RunArgs>),
    /// Show which models are configured, and which answer
    Models(ModelsArgs),
    /// Show the engine at work: scripted model, real tools, no network and no key
    Demo(DemoArgs),
    /// Run recorded sessions of other agents through the engine, and say what they would have cost
    Replay(ReplayArgs),
    /// List the sessions
    Sessions(SessionsArgs),
    /// Show what fills a session's context window, and what would leave it next; steer what is shown
    Context(ContextArgs),
    /// List a session's groups, show one, or delete one for good
    #[command(alias = "message")]
    Messages(MessagesArgs),
    /// Take the newest group back: a message of the user and all the work on it
    Undo(UndoArgs),
    /// Bring back the group that was taken back last
    Redo(RedoArgs),
    /// Show what a compaction took away
    Diff(DiffArgs),
    /// List a session's summaries
    Summaries(SummariesArgs),
    /// Show or change a session's scratchpad: the plan that the model keeps
    Scratchpad(ScratchpadArgs),
    /// Show a session's STATE: what the model holds to be true
    State(StateArgs),
    /// Say where a session stands, for whoever goes on with it
    Handoff(HandoffArgs),
    /// List a session's checkpoints, or show one
    Checkpoints(CheckpointsArgs),
    /// List, show, write, change, delete or search memos: short notes that outlive sessions
    #[command(alias = "memo")]
    Memos(MemosArgs),
    /// Show the settings that hold and where they come from, or the files they are read from
    Config(ConfigArgs),
    /// Trust a project: let its settings say what may run and where a model is
    Trust(TrustArgs),
    /// Show a request exactly as it was sent
    Show(ShowArgs),
    /// Write a session's whole log as JSON lines
    Export(ExportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Milliseconds to wait after each answer, for those who read along
    #[arg(long, default_value_t = 60, value_name = "MS")]
    pub(crate) pace: u64,
    /// Empty folder for the demo's project [default: a fresh temporary one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
    /// Run this session to its end, printing `@` lines for a watcher
    #[arg(long, hide = true, requires = "workspace")]
    pub(crate) worker_session: Option<String>,
    /// Print colours although the output is no terminal
    #[arg(long, hide = true)]
    pub(crate) colour: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Recordings, plain or .gz: Claude Code, Codex, OpenCode, pi, mini-swe-agent, SWE-agent
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Context window in tokens
    #[arg(long, default_value = "64k", value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) window: u64,
    /// Tokens kept free for the answer
    #[arg(long, default_value = "4096", value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) max_output: u64,
    /// Policy of the engine
    #[arg(long, value_parser = policy_parser(), default_value_t = Policy::default())]
    pub(crate) policy: Policy,
    /// How tokens are counted until the recording's own usage corrects it [default: as the policy does, mostly script]
    #[arg(long, value_parser = estimator_parser())]
    pub(crate) estimator: Option<Estimator>,
    /// Tokens that stand in for system prompt and tool schemas where a recording has none
    #[arg(long, default_value = "6000", value_parser = parse_tokens, value_name = "TOKENS")]
    pub(crate) overhead: u64,
    /// Also measure what of what the model used later is still visible
    #[arg(long)]
    pub(crate) recall: bool,
    /// Print one JSON array with an object for each session
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SessionsArgs {
    /// Print one JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Session: its id, the start of one, or `last`
    pub(crate) session: String,
    /// Number of the request, from 1 [default: the last one]
    #[arg(long, value_name = "N")]
    pub(crate) request: Option<u64>,
    /// Print the receipt too: what was decided about the request, and why
    #[arg(long)]
    pub(crate) receipt: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Session: its id, the start of one, or `last`
    pub(crate) session: String,
    /// File to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
