//! The grammar of the lines that begin with `/`. The arguments are those of the subcommands wherever both exist.

mod changes;
mod screen;

use clap::{Command, Subcommand};
use throughline_conversation::DocumentName;

use crate::checkpoints::args::CheckpointNumber;
use crate::context::args::{self, ContextCommand};
use crate::documents::args::{ScratchpadCommand, StateCommand};
use crate::groups::args::{RedoFlags, UndoFlags};
use crate::messages::args::{ListArgs, RemoveArgs, ShowArgs};
use crate::pins::args::{PinWhat, UnpinWhat};
use crate::session_command::SessionCommand;

pub use changes::{AgentsCommand, JobsCommand, McpCommand, PermissionsCommand};
pub use screen::ScreenCommand;

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
            Self::Screen(command) => command.works_anytime(),
            Self::Help => true,
            Self::Compact { .. } => false,
        }
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
