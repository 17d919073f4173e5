//! Arguments of `throughline memos`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct MemosArgs {
    /// Folder of the project whose memos to use, next to those about no project [default: the current folder]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
    /// Use the memos of every project; with `add`, write one about no project, which every session finds
    #[arg(long, global = true, conflicts_with = "workspace")]
    pub(crate) all: bool,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Action [default: list]
    #[command(subcommand)]
    pub(crate) what: Option<MemosCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemosCommand {
    /// List memos, the last changed first
    List {
        /// Only memos with this tag; repeatable, to list memos with at least one of them
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
    },
    /// Show a memo
    Show {
        /// Memo id, or the start of one
        id: String,
    },
    /// Write a memo
    Add {
        /// Text; `-` reads standard input
        text: String,
        /// Tag, such as arch-decision, gotcha or api-design; repeatable
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
    },
    /// Change the text or the tags of a memo
    Edit {
        /// Memo id, or the start of one
        id: String,
        /// New text; `-` reads standard input [default: opens $EDITOR, unless only tags change]
        text: Option<String>,
        /// New tag, replacing all old ones; repeatable
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// Remove all tags
        #[arg(long, conflicts_with = "tags")]
        untag: bool,
    },
    /// Delete a memo permanently
    Delete {
        /// Memo id, or the start of one
        id: String,
        /// Do not ask for confirmation
        #[arg(long, short)]
        yes: bool,
    },
    /// Search memos for words, best match first
    Search {
        /// Words to search for
        #[arg(required = true, value_name = "WORDS")]
        words: Vec<String>,
    },
}
