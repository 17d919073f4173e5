//! Writing, changing and deleting memos.

use std::io::IsTerminal;

use anyhow::ensure;
use serde_json::json;
use throughline::now;
use throughline_memory::{Draft, Memo, MemoOrigin, NoteRepository, Removal, Saved};

use super::Shelf;
use super::find::{command, find};
use super::list::object;
use crate::answer::Answer;
use crate::documents::read;
use crate::editor;
use crate::groups::confirm;
use crate::terminal::headline;

/// Characters of a memo that a question shows.
const LINE: usize = 60;

/// Writes a memo.
pub(super) async fn add(shelf: &Shelf, text: &str, tags: &[String]) -> anyhow::Result<Answer> {
    let origin = MemoOrigin { workspace: shelf.folder(), ..MemoOrigin::default() };
    let draft = Draft::new(&given(text)?, tags, origin, now())?;
    let Saved { memo, new } = shelf.data.store.notes().save(&draft).await?;
    let (id, tags) = (&memo.id, tags_of(&memo));
    let line = match new {
        true => format!("Memo {id}{tags} is written."),
        false => format!("Memo {id}{tags} says this already; it was not written twice."),
    };
    let mut answer = Answer::lines(&[line, format!("To look at it: {}", command(shelf, "show", id))]);
    put(&mut answer, &memo);
    Ok(answer)
}

/// Gives a memo another text, or other tags. Without either, the user's editor is opened.
pub(super) async fn edit(
    shelf: &Shelf,
    id: &str,
    text: Option<&str>,
    tags: &[String],
    untag: bool,
) -> anyhow::Result<Answer> {
    let memo = find(shelf, id).await?;
    let only_tags = untag || !tags.is_empty();
    let text = match text {
        Some(text) => given(text)?,
        None if only_tags => memo.content.clone(),
        None => {
            let somebody = std::io::stdin().is_terminal();
            ensure!(
                somebody,
                "say what memo {} says from now on, or `-` to read it from standard input",
                memo.id
            );
            editor::edit(&memo.content)?
        }
    };
    let tags = if only_tags { tags } else { memo.tags.as_slice() };
    let draft = Draft::new(&text, tags, MemoOrigin::default(), now())?;
    if (&draft.content, &draft.tags) == (&memo.content, &memo.tags) {
        let mut answer = Answer::lines(&[format!("Memo {} stays as it is.", memo.id)]);
        put(&mut answer, &memo);
        return Ok(answer);
    }
    let memo = shelf.data.store.notes().update(&memo.id, &draft).await?;
    // What it said before is gone from the files, too.
    let folded = shelf.data.store.checkpoint().await?;
    let mut lines = vec![format!("Memo {}{} is changed.", memo.id, tags_of(&memo))];
    lines.extend(left(folded));
    let mut answer = Answer::lines(&lines);
    put(&mut answer, &memo);
    Ok(answer)
}

/// Deletes a memo, so that no byte of it is left.
pub(super) async fn delete(shelf: &Shelf, id: &str, yes: bool) -> anyhow::Result<Answer> {
    let memo = find(shelf, id).await?;
    let name = format!("Memo {} ({:?})", memo.id, headline(&memo.content, LINE));
    if !yes {
        confirm(&format!("{name} is deleted for good."))?;
    }
    let gone = shelf.data.store.notes().remove(&Removal::Memo(memo.id.clone())).await?;
    ensure!(!gone.is_empty(), "memo {} is gone already", memo.id);
    let folded = shelf.data.store.checkpoint().await?;
    let mut lines = vec![format!("{name} is deleted for good.")];
    lines.extend(left(folded));
    let mut answer = Answer::lines(&lines);
    if let Some(fields) = answer.json.as_object_mut() {
        fields.insert("memo".to_owned(), json!(memo.id));
        fields.insert("overwritten".to_owned(), json!(folded));
    }
    Ok(answer)
}

/// The text itself, or that of standard input.
fn given(text: &str) -> anyhow::Result<String> {
    if text == "-" { read("-") } else { Ok(text.to_owned()) }
}

/// What is still there when another program was in the way.
fn left(folded: bool) -> Option<String> {
    (!folded).then(|| {
        "Another program has the database open, so its write-ahead log may hold the old bytes until that program ends."
            .to_owned()
    })
}

fn put(answer: &mut Answer, memo: &Memo) {
    if let (Some(fields), Some(more)) = (answer.json.as_object_mut(), object(memo).as_object()) {
        fields.extend(more.clone());
    }
}

fn tags_of(memo: &Memo) -> String {
    if memo.tags.is_empty() { String::new() } else { format!(" [{}]", memo.tags.join(", ")) }
}
