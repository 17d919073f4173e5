//! Arguments of `throughline scratchpad` and `throughline state`.

use clap::{Args, Subcommand};
use throughline_conversation::DocumentName;

use super::DocumentAsk;
use crate::ask::Ask;

#[derive(Debug, Args)]
pub(crate) struct ScratchpadArgs {
    /// Session: its id, the start of one, or `last`
    pub(crate) session: String,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What to do [default: show]
    #[command(subcommand)]
    pub(crate) what: Option<ScratchpadCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScratchpadCommand {
    /// Show its text
    Show,
    /// Give it another text
    Set {
        /// File with the text; `-` reads standard input
        #[arg(value_name = "FILE")]
        file: String,
    },
    /// Change it in $EDITOR
    Edit,
    /// List its revisions
    History {
        /// With the whole text of each
        #[arg(long)]
        full: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct StateArgs {
    /// Session: its id, the start of one, or `last`
    pub(crate) session: String,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What to do [default: show]
    #[command(subcommand)]
    pub(crate) what: Option<StateCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StateCommand {
    /// Show its text
    Show,
    /// List its revisions
    History {
        /// With the whole text of each
        #[arg(long)]
        full: bool,
    },
}

impl ScratchpadArgs {
    pub(crate) fn ask(&self) -> Ask {
        let what = match &self.what {
            None | Some(ScratchpadCommand::Show) => DocumentAsk::Show,
            Some(ScratchpadCommand::Set { file }) => DocumentAsk::Set(file.clone()),
            Some(ScratchpadCommand::Edit) => DocumentAsk::Edit,
            Some(ScratchpadCommand::History { full }) => DocumentAsk::History { full: *full },
        };
        Ask::Document { name: DocumentName::Scratchpad, what }
    }
}

impl StateArgs {
    pub(crate) fn ask(&self) -> Ask {
        let what = match &self.what {
            None | Some(StateCommand::Show) => DocumentAsk::Show,
            Some(StateCommand::History { full }) => DocumentAsk::History { full: *full },
        };
        Ask::Document { name: DocumentName::State, what }
    }
}
