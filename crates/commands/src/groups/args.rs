//! Arguments of `throughline undo` and `throughline redo`.

use clap::Args;
use throughline_groups::Change;

use crate::session_command::{FileChoice, SessionCommand};

/// The session, and what to undo.
#[derive(Debug, Args)]
pub struct UndoArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// What to undo.
    #[command(flatten)]
    pub flags: UndoFlags,
}

/// What to undo.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct UndoFlags {
    /// Undo the newest compaction instead of the last turn
    #[arg(long)]
    compaction: bool,
    #[command(flatten)]
    files: FileFlags,
    /// Delete the last turn permanently; it cannot be restored
    #[arg(long, conflicts_with_all = ["compaction", "files", "no_files"])]
    purge: bool,
    /// Do not ask for confirmation
    #[arg(long, short, requires = "purge")]
    yes: bool,
}

/// The session, and what to redo.
#[derive(Debug, Args)]
pub struct RedoArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// What to redo.
    #[command(flatten)]
    pub flags: RedoFlags,
}

/// What to redo.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct RedoFlags {
    /// Redo the compaction that was undone last
    #[arg(long)]
    compaction: bool,
    #[command(flatten)]
    files: FileFlags,
}

/// What to do with the files that the turn changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
struct FileFlags {
    /// Restore the files that the turn changed, too; those changed since are left alone
    #[arg(long, conflicts_with_all = ["compaction", "no_files"])]
    files: bool,
    /// Change the conversation only, without asking about files
    #[arg(long, conflicts_with = "compaction")]
    no_files: bool,
}

impl FileFlags {
    fn choice(self) -> FileChoice {
        match (self.files, self.no_files) {
            (true, _) => FileChoice::Restore,
            (false, true) => FileChoice::Keep,
            (false, false) => FileChoice::Ask,
        }
    }
}

impl UndoFlags {
    pub fn command(&self) -> SessionCommand {
        match (self.purge, self.compaction) {
            (true, _) => SessionCommand::Remove { turn: None, yes: self.yes },
            (false, true) => SessionCommand::Change(Change::UndoCompaction),
            (false, false) => SessionCommand::Turn { undo: true, files: self.files.choice() },
        }
    }
}

impl RedoFlags {
    pub fn command(&self) -> SessionCommand {
        if self.compaction {
            SessionCommand::Change(Change::RedoCompaction)
        } else {
            SessionCommand::Turn { undo: false, files: self.files.choice() }
        }
    }
}
