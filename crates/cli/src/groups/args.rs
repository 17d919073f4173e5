//! Arguments of `throughline undo` and `throughline redo`.

use clap::Args;
use throughline_continuity::Change;

use crate::ask::Ask;

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// Session: its id, the start of one, or `last`
    pub(crate) session: String,
    /// Take the newest compaction back instead of the newest group
    #[arg(long)]
    pub(crate) compaction: bool,
    /// Delete the newest group for good; it cannot be brought back
    #[arg(long, conflicts_with = "compaction")]
    pub(crate) purge: bool,
    /// Do not ask before deleting
    #[arg(long, short, requires = "purge")]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RedoArgs {
    /// Session: its id, the start of one, or `last`
    pub(crate) session: String,
    /// Let the compaction that was taken back last count again
    #[arg(long)]
    pub(crate) compaction: bool,
}

impl UndoArgs {
    pub(crate) fn ask(&self) -> Ask {
        match (self.purge, self.compaction) {
            (true, _) => Ask::Remove { group: None, yes: self.yes },
            (false, true) => Ask::Change(Change::UndoCompaction),
            (false, false) => Ask::Change(Change::Undo),
        }
    }
}

impl RedoArgs {
    pub(crate) fn ask(&self) -> Ask {
        Ask::Change(if self.compaction { Change::RedoCompaction } else { Change::Redo })
    }
}
