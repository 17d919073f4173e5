//! `throughline memos`: the notes that outlive sessions.

pub(crate) mod args;
mod change;
mod find;
mod list;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use throughline::{Memos, Storage, workspace};
use throughline_memory::Scope;

use crate::answer::Answer;
use crate::pager;
use crate::terminal::json;
use args::{MemosArgs, MemosCommand};

/// The memos that a session of this folder sees; with words, those that contain one of them.
pub(crate) async fn listed(data: Storage, folder: &Path, words: Option<&str>) -> anyhow::Result<Answer> {
    let commands = Memos { storage: data, scope: Scope::Workspace(folder.display().to_string()) };
    match words {
        Some(words) => list::search(&commands, words).await,
        None => list::list(&commands, &[]).await,
    }
}

/// Runs a command and prints its answer.
pub(crate) async fn run(args: &MemosArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    // One may come before the subcommand and the other after it, where clap does not compare them.
    ensure!(!args.all || args.workspace.is_none(), "--all and --workspace cannot be used together");
    let scope = match args.all {
        true => Scope::All,
        // The path that sessions give their memos.
        false => Scope::Workspace(workspace(args.workspace.as_deref())?.display().to_string()),
    };
    let commands = Memos { storage: Storage::open_to_read(data_dir).await?, scope };
    let answer = match &args.what {
        None => list::list(&commands, &[]).await?,
        Some(MemosCommand::List { tags }) => list::list(&commands, tags).await?,
        Some(MemosCommand::Show { id }) => list::show(&commands, id).await?,
        Some(MemosCommand::Search { words }) => list::search(&commands, &words.join(" ")).await?,
        Some(MemosCommand::Add { text, tags }) => change::add(&commands, text, tags).await?,
        Some(MemosCommand::Edit { id, text, tags, untag }) => {
            change::edit(&commands, id, text.as_deref(), tags, *untag).await?
        }
        Some(MemosCommand::Delete { id, yes }) => change::delete(&commands, id, *yes).await?,
    };
    if args.json {
        return json(&answer.json);
    }
    pager::show(&answer.text);
    Ok(())
}
