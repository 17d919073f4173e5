//! Adds, edits and deletes memos.

use std::io::IsTerminal;

use anyhow::ensure;
use serde_json::{Value, json};
use throughline_memory::{Memo, Saved};
use throughline_stored::{Memos, memo_object};
use throughline_terminal::{confirm, editor};
use throughline_text::headline;

use super::find::{command, find};
use crate::answer::Answer;
use crate::documents::read;

/// Characters of a memo that a question shows.
const LINE: usize = 60;

/// Adds a memo.
pub async fn add(memos: &Memos, text: &str, tags: &[String]) -> anyhow::Result<Answer> {
    let Saved { memo, new } = memos.add(&given(text)?, tags).await?;
    let (id, tags) = (&memo.id, tags_of(&memo));
    let line = match new {
        true => format!("Added memo {id}{tags}."),
        false => format!("Memo {id}{tags} already has this text; nothing was added."),
    };
    let mut answer = Answer::lines(&[line, format!("To show it: {}", command(memos, "show", id))]);
    put(&mut answer, &memo);
    Ok(answer)
}

/// Changes the text or the tags of a memo. Without either, opens the user's editor.
pub async fn edit(
    memos: &Memos,
    id: &str,
    text: Option<&str>,
    tags: &[String],
    untag: bool,
) -> anyhow::Result<Answer> {
    let memo = find(memos, id).await?;
    let only_tags = untag || !tags.is_empty();
    let text = match text {
        Some(text) => given(text)?,
        None if only_tags => memo.content.clone(),
        None => {
            ensure!(
                std::io::stdin().is_terminal(),
                "give the new text of memo {}, or `-` to read it from standard input",
                memo.id
            );
            editor::edit(&memo.content)?
        }
    };
    let tags = if only_tags { tags } else { memo.tags.as_slice() };
    let Some(memo) = memos.update(&memo, &text, tags).await? else {
        let mut answer = Answer::lines(&[format!("Memo {} is unchanged.", memo.id)]);
        put(&mut answer, &memo);
        return Ok(answer);
    };
    // The old text leaves the files, too.
    let folded = memos.erase().await?;
    let mut lines = vec![format!("Changed memo {}{}.", memo.id, tags_of(&memo))];
    lines.extend(left(folded));
    let mut answer = Answer::lines(&lines);
    put(&mut answer, &memo);
    Ok(answer)
}

/// Deletes a memo, so that no byte of it remains.
pub async fn delete(memos: &Memos, id: &str, yes: bool) -> anyhow::Result<Answer> {
    let memo = find(memos, id).await?;
    let name = format!("memo {} ({:?})", memo.id, headline(&memo.content, LINE));
    if !yes {
        confirm(&name)?;
    }
    ensure!(memos.remove(&memo.id).await?, "memo {} is already deleted", memo.id);
    let folded = memos.erase().await?;
    let mut lines = vec![format!("Deleted {name} permanently.")];
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

/// A warning if another program has the database open.
fn left(folded: bool) -> Option<String> {
    (!folded).then(|| {
        "Another program has the database open, so its write-ahead log may hold the old bytes until that program ends."
            .to_owned()
    })
}

fn put(answer: &mut Answer, memo: &Memo) {
    if let (Some(fields), Value::Object(more)) = (answer.json.as_object_mut(), json!(memo_object(memo))) {
        fields.extend(more);
    }
}

fn tags_of(memo: &Memo) -> String {
    if memo.tags.is_empty() { String::new() } else { format!(" [{}]", memo.tags.join(", ")) }
}
