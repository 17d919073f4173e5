//! Arguments of `throughline messages`.

use clap::{Args, Subcommand};
use throughline_conversation::ExchangeId;

use crate::numbers::{parse_turn, parse_turns};
use crate::session_command::SessionCommand;

/// Turns that are listed unless another number is given.
const LISTED: u64 = 20;

/// What to do with the turns of a session.
#[derive(Debug, Args)]
pub struct MessagesArgs {
    /// Action
    #[command(subcommand)]
    pub what: MessagesCommand,
}

#[derive(Debug, Subcommand)]
pub enum MessagesCommand {
    /// List the newest turns: a user message and all the work on it
    List {
        /// Session id, the start of one, or `last`
        session: String,
        #[command(flatten)]
        list: ListArgs,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show every message of a turn
    Show {
        /// Session id, the start of one, or `last`
        session: String,
        #[command(flatten)]
        show: ShowArgs,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Delete a turn permanently, with its stored results, its memos and the summaries that cover it
    Remove {
        /// Session id, the start of one, or `last`
        session: String,
        #[command(flatten)]
        remove: RemoveArgs,
    },
}

/// How many turns to list.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct ListArgs {
    /// Number of turns
    #[arg(value_name = "N", default_value_t = LISTED, value_parser = parse_turns, allow_hyphen_values = true)]
    most: u64,
}

/// Which turn to show.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct ShowArgs {
    /// Number of the turn
    #[arg(value_name = "TURN", value_parser = parse_turn, allow_hyphen_values = true)]
    turn: ExchangeId,
}

/// Which turn to delete.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct RemoveArgs {
    /// Number of the turn
    #[arg(value_name = "TURN", value_parser = parse_turn, allow_hyphen_values = true)]
    turn: ExchangeId,
    /// Do not ask for confirmation
    #[arg(long, short)]
    yes: bool,
}

impl Default for ListArgs {
    fn default() -> Self {
        Self { most: LISTED }
    }
}

impl ListArgs {
    pub fn command(&self) -> SessionCommand {
        SessionCommand::ListTurns { most: self.most }
    }
}

impl ShowArgs {
    pub fn command(&self) -> SessionCommand {
        SessionCommand::ShowTurn { turn: self.turn }
    }
}

impl RemoveArgs {
    pub fn command(&self) -> SessionCommand {
        SessionCommand::Remove { turn: Some(self.turn), yes: self.yes }
    }
}

impl MessagesCommand {
    /// The session, the command on it, and true if the answer is printed as JSON.
    pub fn command(&self) -> (&str, SessionCommand, bool) {
        match self {
            Self::List { session, list, json } => (session, list.command(), *json),
            Self::Show { session, show, json } => (session, show.command(), *json),
            Self::Remove { session, remove } => (session, remove.command(), false),
        }
    }
}
