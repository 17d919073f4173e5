//! Arguments of `throughline undo` and `throughline redo`.

use clap::Args;
use throughline_groups::Change;

use crate::session_command::SessionCommand;

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) flags: UndoFlags,
}

/// What to undo.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct UndoFlags {
    /// Undo the newest compaction instead of the last turn
    #[arg(long)]
    compaction: bool,
    /// Delete the last turn permanently; it cannot be restored
    #[arg(long, conflicts_with = "compaction")]
    purge: bool,
    /// Do not ask before deleting
    #[arg(long, short, requires = "purge")]
    yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RedoArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) flags: RedoFlags,
}

/// What to redo.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct RedoFlags {
    /// Redo the compaction that was undone last
    #[arg(long)]
    compaction: bool,
}

impl UndoFlags {
    pub(crate) fn command(&self) -> SessionCommand {
        match (self.purge, self.compaction) {
            (true, _) => SessionCommand::Remove { turn: None, yes: self.yes },
            (false, true) => SessionCommand::Change(Change::UndoCompaction),
            (false, false) => SessionCommand::Change(Change::Undo),
        }
    }
}

impl RedoFlags {
    pub(crate) fn command(&self) -> SessionCommand {
        SessionCommand::Change(if self.compaction { Change::RedoCompaction } else { Change::Redo })
    }
}
