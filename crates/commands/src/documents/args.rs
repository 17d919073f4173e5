//! Arguments of `throughline scratchpad` and `throughline state`.

use clap::{Args, Subcommand};
use throughline_conversation::DocumentName;

use crate::session_command::{DocumentAction, SessionCommand};

/// The session, and what to do with its scratchpad.
#[derive(Debug, Args)]
pub struct ScratchpadArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Action [default: show]
    #[command(subcommand)]
    pub what: Option<ScratchpadCommand>,
}

#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum ScratchpadCommand {
    /// Show its text
    Show,
    /// Replace its text
    Set {
        /// File with the text; `-` reads standard input
        #[arg(value_name = "FILE")]
        file: String,
    },
    /// Edit it in $EDITOR
    Edit,
    /// List its revisions
    History {
        /// Include the text of each revision
        #[arg(long)]
        full: bool,
    },
}

/// The session, and what to do with its state.
#[derive(Debug, Args)]
pub struct StateArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Action [default: show]
    #[command(subcommand)]
    pub what: Option<StateCommand>,
}

#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum StateCommand {
    /// Show its text
    Show,
    /// List its revisions
    History {
        /// Include the text of each revision
        #[arg(long)]
        full: bool,
    },
}

impl ScratchpadCommand {
    /// What to do; without a subcommand, show.
    pub fn action(what: Option<&Self>) -> DocumentAction {
        match what {
            None | Some(Self::Show) => DocumentAction::Show,
            Some(Self::Set { file }) => DocumentAction::Set(file.clone()),
            Some(Self::Edit) => DocumentAction::Edit,
            Some(Self::History { full }) => DocumentAction::History { full: *full },
        }
    }
}

impl StateCommand {
    /// What to do; without a subcommand, show.
    pub fn action(what: Option<&Self>) -> DocumentAction {
        match what {
            None | Some(Self::Show) => DocumentAction::Show,
            Some(Self::History { full }) => DocumentAction::History { full: *full },
        }
    }
}

impl ScratchpadArgs {
    /// The command on the session.
    pub fn command(&self) -> SessionCommand {
        let action = ScratchpadCommand::action(self.what.as_ref());
        SessionCommand::Document { name: DocumentName::Scratchpad, action }
    }
}

impl StateArgs {
    /// The command on the session.
    pub fn command(&self) -> SessionCommand {
        let action = StateCommand::action(self.what.as_ref());
        SessionCommand::Document { name: DocumentName::State, action }
    }
}
