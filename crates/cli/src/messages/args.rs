//! Arguments of `throughline messages`.

use clap::{Args, Subcommand};
use throughline_conversation::ExchangeId;

use crate::ask::Ask;
use crate::numbers::{parse_count, parse_group};

/// Groups that are listed when no number is given.
pub(crate) const LISTED: u64 = 20;

#[derive(Debug, Args)]
pub(crate) struct MessagesArgs {
    #[command(subcommand)]
    pub(crate) what: MessagesCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MessagesCommand {
    /// List the newest groups: a message of the user and all the work on it
    List {
        /// Session: its id, the start of one, or `last`
        session: String,
        /// How many groups
        #[arg(value_name = "N", default_value_t = LISTED, value_parser = parse_count, allow_hyphen_values = true)]
        most: u64,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show all that was said and done in a group
    Show {
        /// Session: its id, the start of one, or `last`
        session: String,
        /// The group's number
        #[arg(value_name = "GID", value_parser = parse_group, allow_hyphen_values = true)]
        group: ExchangeId,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Delete a group for good, with its stored results, its memos and the summaries that tell of it
    Remove {
        /// Session: its id, the start of one, or `last`
        session: String,
        /// The group's number
        #[arg(value_name = "GID", value_parser = parse_group, allow_hyphen_values = true)]
        group: ExchangeId,
        /// Do not ask before deleting
        #[arg(long, short)]
        yes: bool,
    },
}

impl MessagesCommand {
    /// The session, what is asked of it, and whether the answer is JSON.
    pub(crate) fn ask(&self) -> (&str, Ask, bool) {
        match self {
            Self::List { session, most, json } => (session, Ask::List { most: *most }, *json),
            Self::Show { session, group, json } => (session, Ask::Show { group: *group }, *json),
            Self::Remove { session, group, yes } => {
                (session, Ask::Remove { group: Some(*group), yes: *yes }, false)
            }
        }
    }
}
