//! Arguments of `throughline memos`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct MemosArgs {
    /// Folder whose memos are meant, with those that are about none [default: the current folder]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
    /// The memos of every folder; with `add`: about no folder, so that every session finds it
    #[arg(long, global = true, conflicts_with = "workspace")]
    pub(crate) all: bool,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What to do [default: list]
    #[command(subcommand)]
    pub(crate) what: Option<MemosCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemosCommand {
    /// List them, the one changed last first
    List {
        /// Only those with this tag; several: with at least one of them
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
    },
    /// Show all of one
    Show {
        /// Memo: its id, or the start of one
        id: String,
    },
    /// Write one
    Add {
        /// What it says; `-` reads standard input
        text: String,
        /// A tag to find it by, such as arch-decision, gotcha or api-design; may be given several times
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
    },
    /// Change what one says, or its tags
    Edit {
        /// Memo: its id, or the start of one
        id: String,
        /// What it says from now on; `-` reads standard input [default: opens $EDITOR, unless only tags change]
        text: Option<String>,
        /// Its tags from now on, in the place of those it has; may be given several times
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// Take all its tags away
        #[arg(long, conflicts_with = "tags")]
        untag: bool,
    },
    /// Delete one for good
    Delete {
        /// Memo: its id, or the start of one
        id: String,
        /// Do not ask before deleting
        #[arg(long, short)]
        yes: bool,
    },
    /// Find those that have these words, best first
    Search {
        /// Words to look for
        #[arg(required = true, value_name = "WORDS")]
        words: Vec<String>,
    },
}
