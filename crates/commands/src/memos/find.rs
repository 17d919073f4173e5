//! Finds the memo that a command names.

use anyhow::anyhow;
use throughline_memory::{Memo, MemoId, Scope};
use throughline_stored::{Error, Memos, data_dir_option};
use throughline_text::shell_word;

/// The memo of this id, or the only one whose id begins with it.
pub(super) async fn find(memos: &Memos, text: &str) -> anyhow::Result<Memo> {
    memos.find(text).await.map_err(|error| match &error {
        Error::MemoElsewhere { memo, folder } => {
            anyhow!("memo {memo} is about another folder; add --all, or --workspace {}", shell_word(folder))
        }
        _ => error.into(),
    })
}

/// A command line on a memo, to copy.
pub(super) fn command(memos: &Memos, command: &str, id: &MemoId) -> String {
    let all = if memos.scope == Scope::All { " --all" } else { "" };
    format!("throughline{} memos {command} {id}{all}", data_dir_option(&memos.storage))
}
