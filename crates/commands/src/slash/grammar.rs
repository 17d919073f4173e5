//! The grammar of the lines that begin with `/`. The arguments are those of the subcommands wherever both exist.

mod changes;

use clap::{Command, Subcommand};
use throughline_conversation::DocumentName;

use crate::checkpoints::args::CheckpointNumber;
use crate::context::args::{self, ContextCommand};
use crate::documents::args::{ScratchpadCommand, StateCommand};
use crate::export::ExportFormArgs;
use crate::groups::args::{RedoFlags, UndoFlags};
use crate::messages::args::{ListArgs, RemoveArgs, ShowArgs};
use crate::numbers::parse_job;
use crate::pins::args::{PinWhat, UnpinWhat};
use crate::plugins::PluginSwitch;
use crate::session_command::SessionCommand;

pub use changes::{AgentsCommand, JobsCommand, McpCommand, PermissionsCommand};

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Slash {
    /// A command that works wherever a session can be named.
    #[command(flatten)]
    Session(SessionSlash),
    /// Shorten the conversation now
    Compact {
        /// Show first what would leave, and let the summary be edited
        #[arg(long)]
        preview: bool,
        /// What the summary should preserve
        #[arg(value_name = "INSTRUCTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
        instructions: Vec<String>,
    },
    /// A command that needs the screen.
    #[command(flatten)]
    Screen(ScreenCommand),
    /// List the commands
    Help,
}

/// A command that works wherever a session can be named.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum SessionSlash {
    /// Show what fills the window
    Context {
        /// Everything that is known about the window
        #[arg(long)]
        all: bool,
        #[command(subcommand)]
        what: Option<ContextCommand>,
    },
    /// List the summaries
    Summaries,
    /// Undo the last turn, or the last compaction
    Undo(UndoFlags),
    /// Restore what was undone last
    Redo(RedoFlags),
    /// Keep a text word for word
    Pin(PinWhat),
    /// Remove a pin
    Unpin(UnpinWhat),
    /// List the pins and what they cost
    Pins,
    /// List the newest turns
    #[command(visible_alias = "message")]
    Messages {
        #[command(subcommand)]
        what: Option<TurnCommand>,
    },
    /// Show or change a document of the session
    Session {
        #[command(subcommand)]
        document: DocumentSlash,
    },
    /// Show handoff notes for continuing elsewhere
    Handoff,
    /// List checkpoints, or show one
    Checkpoints(CheckpointNumber),
}

/// What can be done with turns.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum TurnCommand {
    /// List the newest turns
    List(ListArgs),
    /// Show every message of a turn
    Show(ShowArgs),
    /// Delete a turn permanently
    Remove(RemoveArgs),
}

/// A document of the session.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum DocumentSlash {
    /// Show the scratchpad: the model's plan
    Scratchpad {
        #[command(subcommand)]
        what: Option<ScratchpadCommand>,
    },
    /// Show the session state: goal, files, facts
    State {
        #[command(subcommand)]
        what: Option<StateCommand>,
    },
}

/// A command that needs the screen.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum ScreenCommand {
    /// Show the session and its model
    Status,
    /// Show what the session has used
    Cost,
    /// Show the changes of the workspace
    Diff,
    /// Copy the last answer to the clipboard
    Copy,
    /// Write the session to a file
    Export {
        /// The form
        #[command(flatten)]
        form: ExportFormArgs,
        /// The file
        #[arg(value_name = "FILE")]
        file: Option<String>,
    },
    /// Switch to another model
    Model {
        /// The model
        #[arg(value_name = "MODEL", trailing_var_arg = true)]
        name: Vec<String>,
    },
    /// Show how much the model thinks, or change it: off, low, medium, high, default or tokens
    Effort {
        /// The level
        #[arg(value_name = "LEVEL")]
        level: Option<String>,
    },
    /// Let file tools read a folder outside of the workspace, in this session
    AddDir {
        /// The folder
        #[arg(value_name = "FOLDER", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        folder: Vec<String>,
    },
    /// Continue in a copy of this session; this one stays unchanged
    Fork,
    /// Show or change what runs without a question
    #[command(args_conflicts_with_subcommands = true)]
    Permissions {
        /// The new mode
        #[arg(value_name = "MODE")]
        mode: Option<String>,
        /// The change
        #[command(subcommand)]
        what: Option<PermissionsCommand>,
    },
    /// Plan first, as /permissions plan does: the model only reads
    Plan,
    /// Switch vim's keys in the input on or off
    Vim,
    /// Show or change the settings
    Config {
        /// The setting
        #[arg(value_name = "KEY")]
        key: Option<String>,
        /// Its new value
        #[arg(value_name = "VALUE", trailing_var_arg = true, allow_hyphen_values = true)]
        value: Vec<String>,
    },
    /// List the output styles, or set that of the next session
    OutputStyle {
        /// Its name
        #[arg(value_name = "NAME", trailing_var_arg = true)]
        name: Vec<String>,
    },
    /// List the notes that outlive sessions
    Memos {
        /// Words to search for
        #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// List the kinds of sub-agents and those of this session, or end one
    Agents {
        /// The change
        #[command(subcommand)]
        what: Option<AgentsCommand>,
    },
    /// List the hooks: commands that run at events of the session
    Hooks,
    /// List the background commands, or show the end of what one has written
    #[command(args_conflicts_with_subcommands = true)]
    Jobs {
        /// Number of the job
        #[arg(value_name = "N", value_parser = parse_job, allow_hyphen_values = true)]
        number: Option<u64>,
        /// The change
        #[command(subcommand)]
        what: Option<JobsCommand>,
    },
    /// List the skills
    Skills,
    /// List the MCP servers and their tools, or change them
    Mcp {
        /// The change
        #[command(subcommand)]
        what: Option<McpCommand>,
    },
    /// List the plugins and what each brings, or enable or disable one
    #[command(visible_alias = "plugins")]
    Plugin {
        /// The change
        #[command(subcommand)]
        what: Option<PluginSwitch>,
    },
    /// Continue the interrupted turn
    Continue,
    /// Open another session
    Resume {
        /// Words to search for
        #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// List the sessions
    Sessions,
    /// Rename this session
    Rename {
        /// The new title
        #[arg(value_name = "TITLE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        title: Vec<String>,
    },
    /// Start a new session
    #[command(visible_alias = "new")]
    Clear,
    /// Leave
    #[command(visible_alias = "exit")]
    Quit,
}

/// All commands.
pub(super) fn grammar() -> Command {
    let root = Command::new("/").no_binary_name(true).disable_help_flag(true).disable_help_subcommand(true);
    Slash::augment_subcommands(root)
}

impl Slash {
    /// Returns true for a command that only reads what is stored, or ends what runs in the background. It may be typed while a turn
    /// runs.
    pub fn works_anytime(&self) -> bool {
        match self {
            Self::Session(command) => command.command().is_read_only(),
            Self::Screen(ScreenCommand::Config { value, .. }) => value.is_empty(),
            Self::Screen(ScreenCommand::OutputStyle { name }) => name.is_empty(),
            Self::Screen(command) => matches!(
                command,
                ScreenCommand::Status
                    | ScreenCommand::Cost
                    | ScreenCommand::Diff
                    | ScreenCommand::Memos { .. }
                    | ScreenCommand::Agents { .. }
                    | ScreenCommand::Hooks
                    | ScreenCommand::Jobs { .. }
                    | ScreenCommand::Skills
                    | ScreenCommand::Mcp { what: None }
                    | ScreenCommand::Plugin { what: None }
                    | ScreenCommand::Sessions
                    | ScreenCommand::Vim
            ),
            Self::Help => true,
            Self::Compact { .. } => false,
        }
    }
}

impl ScreenCommand {
    /// Returns true if a line begins with such a command.
    pub(super) fn has(line: &str) -> bool {
        let name = line.split_whitespace().next().and_then(|word| word.strip_prefix('/'));
        name.is_some_and(Self::has_subcommand)
    }
}

impl SessionSlash {
    /// The command on the session.
    pub fn command(&self) -> SessionCommand {
        match self {
            Self::Context { all: true, what: None } => SessionCommand::Report { all: true },
            Self::Context { what, .. } => args::command(what.as_ref()),
            Self::Summaries => SessionCommand::Summaries,
            Self::Undo(flags) => flags.command(),
            Self::Redo(flags) => flags.command(),
            Self::Pin(what) => what.command(),
            Self::Unpin(what) => what.command(),
            Self::Pins => SessionCommand::Pins,
            Self::Messages { what: None } => ListArgs::default().command(),
            Self::Messages { what: Some(TurnCommand::List(list)) } => list.command(),
            Self::Messages { what: Some(TurnCommand::Show(show)) } => show.command(),
            Self::Messages { what: Some(TurnCommand::Remove(remove)) } => remove.command(),
            Self::Session { document: DocumentSlash::Scratchpad { what } } => SessionCommand::Document {
                name: DocumentName::Scratchpad,
                action: ScratchpadCommand::action(what.as_ref()),
            },
            Self::Session { document: DocumentSlash::State { what } } => SessionCommand::Document {
                name: DocumentName::State,
                action: StateCommand::action(what.as_ref()),
            },
            Self::Handoff => SessionCommand::Handoff { agent: None },
            Self::Checkpoints(CheckpointNumber { number: None }) => SessionCommand::Checkpoints,
            Self::Checkpoints(CheckpointNumber { number }) => SessionCommand::Checkpoint { number: *number },
        }
    }
}
