//! Arguments of `throughline context`.

use clap::{Args, Subcommand};
use throughline_continuity::Change;
use throughline_conversation::ExchangeId;

use crate::ask::Ask;
use crate::numbers::{parse_group, parse_window};

#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    /// Session: its id, the start of one, or `last`
    pub(crate) session: String,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What to do [default: report what fills the window]
    #[command(subcommand)]
    pub(crate) what: Option<ContextCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContextCommand {
    /// Show the model only the newest groups
    Window {
        /// How many; 0 for all
        #[arg(value_name = "N", value_parser = parse_window, allow_hyphen_values = true)]
        groups: u32,
    },
    /// Hide a group from the model without deleting it
    Drop {
        /// The group's number
        #[arg(value_name = "GID", value_parser = parse_group, allow_hyphen_values = true)]
        group: ExchangeId,
    },
    /// Show a group again that was hidden or taken back
    Restore {
        /// The group's number
        #[arg(value_name = "GID", value_parser = parse_group, allow_hyphen_values = true)]
        group: ExchangeId,
    },
    /// Show the context as it will be sent: system prompt, tools, messages, and what rides at the end
    Show {
        /// Print the body of a request to Anthropic's API, as JSON without cache marks
        #[arg(long)]
        request: bool,
        /// Open it in $EDITOR, to read
        #[arg(long, conflicts_with = "request")]
        editor: bool,
    },
    /// Make STATE anew from what is in view
    Rebuild,
}

impl ContextArgs {
    pub(crate) fn ask(&self) -> Ask {
        match self.what {
            None => Ask::Report,
            Some(ContextCommand::Window { groups }) => window(groups),
            Some(ContextCommand::Drop { group }) => Ask::Change(Change::Drop(group)),
            Some(ContextCommand::Restore { group }) => Ask::Change(Change::Restore(group)),
            Some(ContextCommand::Show { request, editor }) => Ask::Assembled { request, editor },
            Some(ContextCommand::Rebuild) => Ask::Rebuild,
        }
    }
}

/// A window of so many groups; 0 means all.
pub(crate) fn window(groups: u32) -> Ask {
    Ask::Change(Change::Window((groups > 0).then_some(groups)))
}
