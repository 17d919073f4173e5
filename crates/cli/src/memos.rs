//! `throughline memos`: the notes that outlive sessions.

pub(crate) mod args;

use std::path::PathBuf;

use anyhow::ensure;
use throughline_commands::memos;
use throughline_config::workspace;
use throughline_stored::{Memos, Storage};
use throughline_terminal::{json, pager};

use args::{MemosArgs, MemosCommand};

/// Runs a command and prints its answer.
pub(crate) async fn run(args: &MemosArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    // One may come before the subcommand and the other after it, where clap does not compare them.
    ensure!(!args.all || args.workspace.is_none(), "--all and --workspace cannot be used together");
    let workspace = if args.all { None } else { Some(workspace(args.workspace.as_deref())?) };
    let storage = Storage::open_to_read(data_dir).await?;
    let found = match workspace {
        None => Memos::of_all(storage),
        Some(folder) => Memos::of_project(storage, &folder),
    };
    let answer = match &args.what {
        None => memos::list(&found, &[]).await?,
        Some(MemosCommand::List { tags }) => memos::list(&found, tags).await?,
        Some(MemosCommand::Show { id }) => memos::show(&found, id).await?,
        Some(MemosCommand::Search { words }) => memos::search(&found, &words.join(" ")).await?,
        Some(MemosCommand::Add { text, tags }) => memos::add(&found, text, tags).await?,
        Some(MemosCommand::Edit { id, text, tags, untag }) => {
            memos::edit(&found, id, text.as_deref(), tags, *untag).await?
        }
        Some(MemosCommand::Delete { id, yes }) => memos::delete(&found, id, *yes).await?,
    };
    if args.json {
        return Ok(json(&answer.json)?);
    }
    pager::show(&answer.text);
    Ok(())
}
