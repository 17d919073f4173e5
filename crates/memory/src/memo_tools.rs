//! Running `save_memo` and `retrieve_memos`.

use std::collections::BTreeMap;

use serde_json::Value;
use throughline_conversation::Millis;

use crate::arguments::ToolArguments;
use crate::error::MemoryError;
use crate::index::{MemoryHit, MemorySearch};
use crate::memo::{Memo, MemoDraft, MemoOrigin};
use crate::memo_id::MemoId;
use crate::notes::{MemoFilter, NoteRepository};
use crate::query::{Kinds, Query};
use crate::recall::shown;
use crate::scope::Scope;
use crate::tags::normalised_tag;

/// Maximum bytes of memos in an answer; one memo is always shown.
const MAX_BYTES: usize = 12_000;

/// Maximum number of memos that are named after the shown ones.
const MAX_NAMED: usize = 40;

/// Maximum number of tags that are named.
const MAX_TAGS_NAMED: usize = 40;

/// Maximum number of memos that a query ranks.
const MAX_RANKED: usize = 200;

/// Saves a memo and returns its name.
///
/// # Errors
/// [`MemoryError`]: its text, with its causes, tells the model what to do.
pub async fn save_memo(
    notes: &dyn NoteRepository,
    input: &Value,
    origin: MemoOrigin,
    now: Millis,
) -> Result<String, MemoryError> {
    let arguments = ToolArguments::of("save_memo", input, &["content", "tags"])?;
    let content = arguments.text("content")?.unwrap_or_default();
    let draft = MemoDraft::new(content, &arguments.list("tags")?, origin, now)?;
    let saved = notes.save(&draft).await?;
    let (id, tags) = (&saved.memo.id, tags_of(&saved.memo));
    Ok(if saved.new {
        format!("Saved as memo {id}{tags}.")
    } else {
        format!("Memo {id}{tags} says this already; it was not saved twice.")
    })
}

/// Lists memos: by tags, by the words of a query, by name, or the newest.
///
/// # Errors
/// [`MemoryError`]: its text, with its causes, tells the model what to do.
pub async fn retrieve_memos(
    notes: &dyn NoteRepository,
    search: &dyn MemorySearch,
    input: &Value,
    scope: &Scope,
) -> Result<String, MemoryError> {
    let arguments = ToolArguments::of("retrieve_memos", input, &["tags", "query"])?;
    let tags = arguments.list("tags")?.into_iter().map(normalised_tag).collect::<Result<Vec<_>, _>>()?;
    let memos = match arguments.text("query")? {
        Some(query) => asked_for(notes, search, query, &tags, scope).await?,
        None => tagged(notes, tags, scope).await?,
    };
    if memos.is_empty() {
        return nothing(notes, scope).await;
    }
    Ok(listed(&memos))
}

/// Those with more of the tags first, then those changed last.
async fn tagged(
    notes: &dyn NoteRepository,
    tags: Vec<String>,
    scope: &Scope,
) -> Result<Vec<Memo>, MemoryError> {
    let filter = MemoFilter { tags, ..MemoFilter::of(scope.clone()) };
    let mut memos = notes.list(&filter).await?;
    let matches = |memo: &Memo| memo.tags.iter().filter(|tag| filter.tags.contains(tag)).count();
    memos.sort_by_key(|memo| std::cmp::Reverse(matches(memo)));
    Ok(memos)
}

async fn asked_for(
    notes: &dyn NoteRepository,
    search: &dyn MemorySearch,
    query: &str,
    tags: &[String],
    scope: &Scope,
) -> Result<Vec<Memo>, MemoryError> {
    let named = notes
        .list(&MemoFilter { id: Some(MemoId::from_text(query)), ..MemoFilter::of(scope.clone()) })
        .await?;
    if !named.is_empty() {
        return Ok(named);
    }
    let hits = search.search(&Query::of(query, Kinds::Memos), scope, MAX_RANKED).await?;
    let memo = |hit| match hit {
        MemoryHit::Memo(memo) => Some(memo),
        MemoryHit::Chunk { .. } => None,
    };
    let has_tag = |memo: &Memo| tags.is_empty() || memo.tags.iter().any(|tag| tags.contains(tag));
    Ok(hits.into_iter().filter_map(memo).filter(has_tag).collect())
}

/// The memos, and the names of those that there is no room for.
fn listed(memos: &[Memo]) -> String {
    let count = memos.len();
    let mut text = format!("{count} {}:", if count == 1 { "memo" } else { "memos" });
    let mut rest = memos.iter().enumerate();
    let mut unshown = Vec::new();
    for (index, memo) in rest.by_ref() {
        let next = shown(memo, usize::MAX);
        if index > 0 && text.len() + next.len() > MAX_BYTES {
            unshown.push(memo);
            break;
        }
        text.push('\n');
        text.push_str(&next);
    }
    unshown.extend(rest.map(|(_, memo)| memo));
    if !unshown.is_empty() {
        text.push_str("\n\nNot shown, for want of room (a query of the name shows one):");
        for memo in unshown.iter().take(MAX_NAMED) {
            text.push_str(&format!("\n- {}{}", memo.id, tags_of(memo)));
        }
        if let Some(more @ 1..) = unshown.len().checked_sub(MAX_NAMED) {
            text.push_str(&format!("\n- and {more} more; name tags or words to find them"));
        }
    }
    text
}

/// The answer if no memo matches: the tags in use.
async fn nothing(notes: &dyn NoteRepository, scope: &Scope) -> Result<String, MemoryError> {
    let memos = notes.list(&MemoFilter::of(scope.clone())).await?;
    if memos.is_empty() {
        return Ok("There are no memos yet.".to_owned());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in memos.iter().flat_map(|memo| &memo.tags) {
        *counts.entry(tag).or_default() += 1;
    }
    let mut tags: Vec<(&str, usize)> = counts.into_iter().collect();
    tags.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let tags: Vec<String> =
        tags.into_iter().take(MAX_TAGS_NAMED).map(|(tag, count)| format!("{tag} ({count})")).collect();
    let tags = if tags.is_empty() { "none".to_owned() } else { tags.join(", ") };
    Ok(format!("No memo fits. There are {} in all; their tags: {tags}.", memos.len()))
}

fn tags_of(memo: &Memo) -> String {
    if memo.tags.is_empty() { String::new() } else { format!(" [{}]", memo.tags.join(", ")) }
}

#[cfg(test)]
mod tests;
