//! Finds the memo that a command names.

use anyhow::{bail, ensure};
use throughline_memory::{Memo, MemoFilter, MemoId, NoteRepository, Scope};

use super::MemoCommands;
use crate::shell::data_dir_option;
use crate::shell::word;

/// Most ids that an error names.
const NAMED: usize = 5;

/// The memo of this id, or the only one whose id begins with it. `m-` may be left out.
pub(super) async fn find(commands: &MemoCommands, text: &str) -> anyhow::Result<Memo> {
    let wanted = text.trim().trim_matches(['[', ']']).to_lowercase();
    let wanted = digits(&wanted);
    ensure!(!wanted.is_empty(), "name a memo: its id, or the start of one");
    let notes = commands.data.store.notes();
    let begin = |memo: &Memo| digits(memo.id.as_str()).starts_with(wanted);
    let mut mine = notes.list(&MemoFilter::of(commands.scope.clone())).await?;
    mine.retain(begin);
    // An id may be the start of another one.
    if let Some(exact) = mine.iter().position(|memo| digits(memo.id.as_str()) == wanted) {
        return Ok(mine.swap_remove(exact));
    }
    if mine.len() > 1 {
        let ids: Vec<&str> = mine.iter().take(NAMED).map(|memo| memo.id.as_str()).collect();
        bail!("several memos begin with {text:?} ({}); write more of the id", ids.join(", "));
    }
    if let Some(only) = mine.pop() {
        return Ok(only);
    }
    let others = notes.list(&MemoFilter::of(Scope::All)).await?;
    match others.iter().find(|memo| begin(memo)) {
        Some(Memo { id, workspace: Some(folder), .. }) => {
            bail!("memo {id} is about another folder; add --all, or --workspace {}", word(folder))
        }
        _ => bail!("there is no memo {text:?}; `throughline memos list` lists them"),
    }
}

/// An id without its prefix.
fn digits(id: &str) -> &str {
    id.strip_prefix("m-").unwrap_or(id)
}

/// A command line on a memo, to copy.
pub(super) fn command(commands: &MemoCommands, command: &str, id: &MemoId) -> String {
    let all = if commands.scope == Scope::All { " --all" } else { "" };
    format!("throughline{} memos {command} {id}{all}", data_dir_option(&commands.data))
}
