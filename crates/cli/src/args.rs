//! The command line.

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use throughline_commands::{
    CheckpointsArgs, ContextArgs, DiffArgs, HandoffArgs, MessagesArgs, PinArgs, PinsArgs, RedoArgs,
    ScratchpadArgs, StateArgs, SummariesArgs, UndoArgs, UnpinArgs,
};
use throughline_demo::READABLE_PACE;
use throughline_text::nearest_name;

use crate::acp::AcpArgs;
use crate::audit::args::AuditArgs;
use crate::chat_args::ChatArgs;
use crate::config::args::{ConfigArgs, TrustArgs};
use crate::data_args::DataArgs;
use crate::described::Described;
use crate::doctor::DoctorArgs;
use crate::engine::EngineArgs;
use crate::export::args::ExportArgs;
use crate::help;
use crate::import::ImportArgs;
use crate::login::{LoginArgs, LogoutArgs};
use crate::mcp::McpArgs;
use crate::memos::args::MemosArgs;
use crate::models::ModelsArgs;
use crate::plugin::PluginArgs;
use crate::reach;
use crate::recover::RecoverArgs;
use crate::replay::args::ReplayArgs;
use crate::resume::ResumeArgs;
use crate::run::args::RunArgs;
use crate::serve::args::ServeArgs;
use crate::sessions::args::SessionsArgs;
use crate::shell::{CompletionsArgs, ManArgs};
use crate::store::StoreArgs;
use crate::watch::WatchArgs;

/// A terminal agent for long sessions: budgets the context window, compacts it, stores what leaves it, resumes it.
#[derive(Debug, Parser)]
#[command(
    name = "throughline",
    version,
    after_help = include_str!("help.md")
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) chat: ChatArgs,

    #[command(flatten)]
    pub(crate) data: DataArgs,
}

impl Cli {
    /// Parses the command line.
    ///
    /// # Errors
    /// A usage error, to be printed. Session options before a subcommand would have no effect, so they are refused.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let mut command = help::grouped(reach::limited(Self::command()), std::env::args_os());
        // Only the subcommand that is asked for is built: the tree of all is half a megabyte.
        let matches = command
            .try_get_matches_from_mut(std::env::args_os())
            .map_err(|error| explained(&mut command, error))?;
        if let Some((name, _)) = matches.subcommand() {
            let typed = |argument: &&clap::Arg| {
                let id = argument.get_id().as_str();
                !ANYWHERE.contains(&id) && matches.value_source(id) == Some(ValueSource::CommandLine)
            };
            let misplaced = command.get_arguments().find(typed).map(ToString::to_string);
            if let Some(argument) = misplaced {
                let why = format!(
                    "`{argument}` before `{name}` would have no effect; write it after `{name}`, if `{name}` takes it"
                );
                return Err(command.error(ErrorKind::ArgumentConflict, why));
            }
        }
        Self::from_arg_matches(&matches)
    }
}

/// The error of several words where one prompt is expected: a mistyped subcommand, or a prompt without quotes.
fn explained(command: &mut clap::Command, error: clap::Error) -> clap::Error {
    // The second word is an unexpected value, or is near the name of a subcommand.
    let stray = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) => !word.starts_with('-'),
        (ErrorKind::InvalidSubcommand, _) => true,
        _ => false,
    };
    let mut words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    // The options of `ANYWHERE` may stand before it.
    let first = loop {
        match words.next() {
            Some(option) if option == "--any-folder" => {}
            Some(option) if ["--data-dir", "--database", "--blobs", "--log"].contains(&option.as_str()) => {
                drop(words.next());
            }
            first => break first,
        }
    };
    let Some(first) = first.filter(|_| stray) else {
        return error;
    };
    if first == "run" && error.kind() == ErrorKind::UnknownArgument {
        let why = "a prompt of several words needs quotes: throughline run \"…\"";
        return command.error(ErrorKind::UnknownArgument, why);
    }
    if first.starts_with('-') || command.find_subcommand(&first).is_some() {
        return error;
    }
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let why = match nearest_name(&first, names.iter().map(String::as_str)) {
        Some(near) => format!("there is no command {first:?}; did you mean `throughline {near}`?"),
        None => format!("a prompt of several words needs quotes: throughline \"{first} …\""),
    };
    command.error(ErrorKind::InvalidSubcommand, why)
}

/// The options that may stand before every subcommand.
const ANYWHERE: [&str; 5] = ["data_dir", "database", "blobs", "any_folder", "log"];

// Only the arguments of the subcommand that is asked for are made.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Run one prompt or task without a screen
    #[command(
        after_help = "`throughline run --help` lists all options, and explains models, permissions, tasks, output and exit codes.",
        after_long_help = include_str!("run/files/help.md")
    )]
    Run(Box<Described<RunArgs>>),
    /// Continue a session, also one of another agent: claude:ID, codex:ID, opencode:ID, gemini:ID
    Resume(Box<Described<ResumeArgs>>),
    /// List configured models and check which answer
    Models(Described<ModelsArgs>),
    /// Examine this installation: settings, model, sandbox, git, storage, terminal, with a fix for each problem
    Doctor(Described<DoctorArgs>),
    /// Store the key of a provider or a server, for you alone
    Login(Described<LoginArgs>),
    /// Delete a stored key
    Logout(Described<LogoutArgs>),
    /// Print completions for a shell
    Completions(Described<CompletionsArgs>),
    /// Print a manual page, or write all of them into a folder
    Man(Described<ManArgs>),
    /// Update the program, or name the command that does: it depends on what has installed it
    Update,
    /// Show the engine at work with a scripted model and real tools: no network, no key
    Demo(Described<DemoArgs>),
    /// Replay recorded sessions of other agents and report what they would have cost
    Replay(Described<ReplayArgs>),
    /// Show where the money of your recorded sessions went, in dollars, and what would have saved most
    Audit(Described<AuditArgs>),
    /// List sessions, or delete some or all old ones permanently
    Sessions(Described<SessionsArgs>),
    #[command(flatten)]
    Session(SessionSubcommand),
    /// List, show, add, edit, delete or search memos: short notes that outlive sessions
    #[command(alias = "memo")]
    Memos(Described<MemosArgs>),
    /// Serve sessions, memos and stored results of this folder to another agent by MCP; add, list or remove the servers of yours
    Mcp(Described<McpArgs>),
    /// Install, list, update or remove plugins: commands, sub-agents, skills, hooks and MCP servers of others
    #[command(alias = "plugins")]
    Plugin(Described<PluginArgs>),
    /// Serve the context engine to a program that owns its loop: JSON-RPC, a call per line, over stdin and stdout
    Engine(Described<EngineArgs>),
    /// Serve an inspector for the browser, and its API, on this machine
    Serve(Box<Described<ServeArgs>>),
    /// Serve the agent to an editor by the Agent Client Protocol, over stdin and stdout
    Acp(Described<AcpArgs>),
    /// Run Claude Code so that its context survives compactions: throughline watch -- claude
    Watch(Described<WatchArgs>),
    /// Show the effective settings and where they come from, or the files they are read from
    Config(Described<ConfigArgs>),
    /// Trust a project: let its settings name programs, servers and rules
    Trust(Described<TrustArgs>),
    /// Show a sent request, in the form of Anthropic's API
    Show(Described<ShowArgs>),
    /// Write a session's log as JSON lines, or the session as a file for another computer
    Export(Described<ExportArgs>),
    /// Store the session of a file: a bundle, or a session file of another program
    Import(Described<ImportArgs>),
    /// Write a report on a session as one HTML file
    Report(Described<ReportArgs>),
    /// Save what is readable of a damaged database into a new one
    Recover(Described<RecoverArgs>),
    /// Copy sessions and memos between data folders and PostgreSQL servers
    Store(Described<StoreArgs>),
}

/// Commands that show or change one stored session.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum SessionSubcommand {
    /// Show what fills a session's context window and what the next compaction would remove; change what is shown
    Context(Described<ContextArgs>),
    /// List a session's turns, show one, or delete one permanently
    #[command(alias = "message")]
    Messages(Described<MessagesArgs>),
    /// Undo the last turn: a user message and all the work on it, with the files that it changed if you want
    Undo(Described<UndoArgs>),
    /// Redo the turn that was undone last
    Redo(Described<RedoArgs>),
    /// Keep a turn, a message or a text in every request, word for word, whatever a compaction removes
    Pin(Described<PinArgs>),
    /// Remove a pin
    Unpin(Described<UnpinArgs>),
    /// List a session's pins and what they cost with each request
    Pins(Described<PinsArgs>),
    /// Show what a compaction removed from view
    Diff(Described<DiffArgs>),
    /// List a session's summaries
    Summaries(Described<SummariesArgs>),
    /// Show or change a session's scratchpad: the model's plan
    Scratchpad(Described<ScratchpadArgs>),
    /// Show a session's state: goal, files, facts
    State(Described<StateArgs>),
    /// Show handoff notes for continuing a session elsewhere
    Handoff(Described<HandoffArgs>),
    /// List a session's checkpoints, or show one
    Checkpoints(Described<CheckpointsArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Milliseconds to pause after each answer
    #[arg(long, default_value_t = READABLE_PACE.as_millis() as u64, value_name = "MS", value_parser = milliseconds)]
    pub(crate) pace: u64,
    /// Empty folder for the demo's project [default: a temporary one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
    /// Leave the demo's session and project in a new temporary folder, to look at them
    #[arg(long)]
    pub(crate) keep: bool,
    /// Run this session to its end, printing `@` lines for a watcher
    #[arg(long, hide = true, requires = "workspace")]
    pub(crate) worker_session: Option<String>,
    /// Print colours even if the output is not a terminal
    #[arg(long, hide = true)]
    pub(crate) colour: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    /// Number of the request, from 1 [default: the last]
    #[arg(long, value_name = "N")]
    pub(crate) request: Option<u64>,
    /// Include the receipt: what was decided about the request, and why
    #[arg(long)]
    pub(crate) receipt: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Session id, the start of one, or `last`; or the file of a transcript of another agent
    #[arg(value_name = "SESSION|FILE")]
    pub(crate) session: String,
    /// File to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Reads a number of milliseconds.
fn milliseconds(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write whole milliseconds, for example 60".to_owned())
}
