//! `throughline memos`: the notes that outlive sessions, for the person whose they are.

pub(crate) mod args;
mod change;
mod find;
mod list;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use throughline::{Storage, workspace};
use throughline_memory::Scope;

use crate::answer::Answer;
use crate::pager;
use crate::terminal::json;
use args::{MemosArgs, MemosCommand};

/// The data folder, and which memos in it are meant.
#[derive(Debug)]
struct Shelf {
    data: Storage,
    scope: Scope,
}

impl Shelf {
    /// The folder that a new memo is about; `None`: none in particular.
    fn folder(&self) -> Option<String> {
        self.scope.workspace().map(str::to_owned)
    }
}

/// The memos that a session of this folder sees; with words: those that have one of them.
pub(crate) async fn listed(data: Storage, folder: &Path, words: Option<&str>) -> anyhow::Result<Answer> {
    let shelf = Shelf { data, scope: Scope::Workspace(folder.display().to_string()) };
    match words {
        Some(words) => list::search(&shelf, words).await,
        None => list::list(&shelf, &[]).await,
    }
}

/// Does what is asked and prints what came of it.
pub(crate) async fn run(args: &MemosArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    // One may stand before the subcommand and one behind it, where nobody else compares them.
    ensure!(!args.all || args.workspace.is_none(), "--all and --workspace cannot be used together");
    let scope = match args.all {
        true => Scope::All,
        // The name that sessions give their memos, see `run`.
        false => Scope::Workspace(workspace(args.workspace.as_deref())?.display().to_string()),
    };
    let shelf = Shelf { data: Storage::open(data_dir).await?, scope };
    let answer = match &args.what {
        None => list::list(&shelf, &[]).await?,
        Some(MemosCommand::List { tags }) => list::list(&shelf, tags).await?,
        Some(MemosCommand::Show { id }) => list::show(&shelf, id).await?,
        Some(MemosCommand::Search { words }) => list::search(&shelf, &words.join(" ")).await?,
        Some(MemosCommand::Add { text, tags }) => change::add(&shelf, text, tags).await?,
        Some(MemosCommand::Edit { id, text, tags, untag }) => {
            change::edit(&shelf, id, text.as_deref(), tags, *untag).await?
        }
        Some(MemosCommand::Delete { id, yes }) => change::delete(&shelf, id, *yes).await?,
    };
    if args.json {
        return json(&answer.json);
    }
    pager::show(&answer.text);
    Ok(())
}
