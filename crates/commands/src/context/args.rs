//! Arguments of `throughline context`.

use clap::{Args, Subcommand};
use throughline_agent::ItemPlace;
use throughline_groups::{Change, PinTarget};

use crate::diff::DiffNumber;
use crate::numbers::{parse_pinned, parse_window};
use crate::session_command::SessionCommand;

/// The session, and what to do with its context.
#[derive(Debug, Args)]
pub struct ContextArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    /// Action [default: report what fills the window]
    #[command(subcommand)]
    pub what: Option<ContextCommand>,
}

#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum ContextCommand {
    /// Show the model only the newest turns
    Window {
        /// Number of turns; 0 for all
        #[arg(value_name = "N", value_parser = parse_window, allow_hyphen_values = true)]
        turns: u32,
    },
    /// Hide a turn, one result or one picture from the model without deleting it
    Drop {
        /// Number of a turn, or id of a message, as `messages show` prints it
        #[arg(value_name = "TURN-OR-MESSAGE", value_parser = parse_pinned, allow_hyphen_values = true)]
        what: PinTarget,
    },
    /// Show a hidden or undone turn, or a dropped result or picture, again
    Restore {
        /// Number of a turn, or id of a message, as `messages show` prints it
        #[arg(value_name = "TURN-OR-MESSAGE", value_parser = parse_pinned, allow_hyphen_values = true)]
        what: PinTarget,
    },
    /// Show the context as it will be sent: system prompt, tools, messages and closing notes
    Show {
        /// Print the body of a request to Anthropic's API, as JSON without cache breakpoints
        #[arg(long)]
        request: bool,
        /// Open it in $EDITOR, to read
        #[arg(long, conflicts_with = "request")]
        editor: bool,
    },
    /// Show what a compaction removed from view
    Diff(DiffNumber),
    /// Regenerate STATE from the messages in view: by the model in a session, by rule on the command line
    Rebuild,
}

impl ContextArgs {
    /// The command on the session.
    pub fn command(&self) -> SessionCommand {
        command(self.what.as_ref())
    }
}

/// The command on the session; without a subcommand, the report.
pub(crate) fn command(what: Option<&ContextCommand>) -> SessionCommand {
    let change = match what {
        None => return SessionCommand::Report { all: false },
        Some(ContextCommand::Diff(diff)) => return SessionCommand::Diff { number: diff.number },
        Some(ContextCommand::Rebuild) => return SessionCommand::Rebuild,
        Some(ContextCommand::Show { request, editor }) => {
            return SessionCommand::Assembled { request: *request, editor: *editor };
        }
        Some(ContextCommand::Window { turns }) => Change::Window((*turns > 0).then_some(*turns)),
        Some(ContextCommand::Drop { what: PinTarget::Group(turn) }) => Change::Drop(*turn),
        Some(ContextCommand::Restore { what: PinTarget::Group(turn) }) => Change::Restore(*turn),
        Some(ContextCommand::Drop { what: PinTarget::Part(message, part) }) => {
            return SessionCommand::Item { place: ItemPlace { message: *message, part: *part }, drop: true };
        }
        Some(ContextCommand::Restore { what: PinTarget::Part(message, part) }) => {
            return SessionCommand::Item { place: ItemPlace { message: *message, part: *part }, drop: false };
        }
    };
    SessionCommand::Change(change)
}
