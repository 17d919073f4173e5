//! What can be done with a stored session, however it is asked for: by a subcommand, or by a line that begins with `/`.

use throughline_agent::ItemPlace;
use throughline_conversation::{DocumentName, ExchangeId};
use throughline_groups::{Change, PinTarget};

use crate::handoff::TargetAgent;

/// A question to a session, or a change of it, that needs no model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionCommand {
    /// Changes the view. Can be undone.
    Change(Change),
    /// Undoes or redoes a turn, with the files that it changed or without them.
    Turn {
        /// Undo it, or redo it.
        undo: bool,
        /// What to do with the files.
        files: FileChoice,
    },
    /// Deletes a turn permanently; `None`: the newest one.
    Remove {
        /// The turn.
        turn: Option<ExchangeId>,
        /// Without a question.
        yes: bool,
    },
    /// Pins a turn or a part of a message, or a span of text in it.
    Pin {
        /// The turn or the part.
        target: PinTarget,
        /// The span of text. `None`: all of it.
        text: Option<String>,
    },
    /// Drops one result or picture from view, or shows it again.
    Item {
        /// Where it is.
        place: ItemPlace,
        /// Drop it, or show it again.
        drop: bool,
    },
    /// Lists the pins.
    Pins,
    /// Lists the newest turns.
    ListTurns {
        /// Maximum number of turns.
        most: u64,
    },
    /// Shows every message of a turn.
    ShowTurn {
        /// The turn.
        turn: ExchangeId,
    },
    /// Reports what fills the window.
    Report {
        /// On the screen: everything, and not only what fits there.
        all: bool,
    },
    /// Shows the context as it will be sent.
    Assembled {
        /// As the body of a request.
        request: bool,
        /// In the user's editor.
        editor: bool,
    },
    /// Rebuilds STATE.
    Rebuild,
    /// Shows what a compaction removed; `None`: the newest one.
    Diff {
        /// Its number, from 1.
        number: Option<u64>,
    },
    /// Lists the summaries.
    Summaries,
    /// Reads or changes a document.
    Document {
        /// Which document.
        name: DocumentName,
        /// What to do with it.
        action: DocumentAction,
    },
    /// Shows handoff notes, or writes the first prompt for another agent.
    Handoff {
        /// The other agent. `None`: the notes are shown.
        agent: Option<TargetAgent>,
    },
    /// Lists the checkpoints.
    Checkpoints,
    /// Shows a checkpoint; `None`: the newest one.
    Checkpoint {
        /// Its number, from 1.
        number: Option<u64>,
    },
}

/// What to do with the files that a turn changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileChoice {
    /// Ask the user, and leave the files alone if that is not possible.
    Ask,
    /// Restore them.
    Restore,
    /// Leave them alone.
    Keep,
}

/// What to do with a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentAction {
    /// Show its text.
    Show,
    /// Replace its text by that of a file; `-`: standard input.
    Set(String),
    /// Open it in the user's editor.
    Edit,
    /// List its revisions.
    History {
        /// With their texts.
        full: bool,
    },
}

impl SessionCommand {
    /// Returns true if it only reads what is stored, and needs no terminal of its own.
    pub fn is_read_only(&self) -> bool {
        match self {
            Self::Assembled { editor, .. } => !editor,
            Self::Document { action, .. } => {
                matches!(action, DocumentAction::Show | DocumentAction::History { .. })
            }
            Self::Report { .. }
            | Self::ListTurns { .. }
            | Self::ShowTurn { .. }
            | Self::Diff { .. }
            | Self::Pins
            | Self::Summaries
            | Self::Handoff { .. }
            | Self::Checkpoints
            | Self::Checkpoint { .. } => true,
            Self::Change(_)
            | Self::Turn { .. }
            | Self::Remove { .. }
            | Self::Item { .. }
            | Self::Pin { .. }
            | Self::Rebuild => false,
        }
    }
}
