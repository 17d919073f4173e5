//! Which memos a prompt brings back.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::keywords::keywords;
use crate::memo::Memo;
use crate::notes::{MemoFilter, NoteError, NoteRepository};
use crate::scope::Scope;
use crate::terms::{terms, words};

/// Maximum number of memos that a prompt brings back.
const MAX_RECALLED: usize = 5;

/// Maximum number of memos to search: the ones changed last.
const MAX_READ: usize = 2_000;

/// From this many memos on, a word in more than half of them does not discriminate.
const ENOUGH_TO_JUDGE: usize = 20;

/// Maximum characters of one memo in the note.
const MAX_SHOWN: usize = 1_000;

/// The memos that a prompt brings back, up to five, best first: those with more matching tags, then
/// those with more and rarer matching words, then the one changed last.
///
/// A tag matches when the prompt has it, or has all of its parts. A word matches in the content or as a part of a
/// tag. What matches nothing is not brought back, however few there are. The same prompt and memos always give the
/// same answer.
#[must_use]
pub fn recall(prompt: &str, memos: &[Memo]) -> Vec<Memo> {
    let wanted: BTreeSet<String> =
        keywords(prompt).iter().filter_map(|word| words(word).next().map(|word| word.whole())).collect();
    let scored: Vec<ScoredMemo<'_>> = memos.iter().map(|memo| ScoredMemo::of(memo, &wanted)).collect();
    let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
    for term in scored.iter().flat_map(|one| &one.matched) {
        *holders.entry(term).or_default() += 1;
    }
    let worth = |term: &String| {
        let having = holders.get(term.as_str()).copied().unwrap_or(0);
        let common = memos.len() >= ENOUGH_TO_JUDGE && having * 2 > memos.len();
        if common { 0.0 } else { (1.0 + memos.len() as f64 / having.max(1) as f64).ln() }
    };
    let mut ranked: Vec<(usize, f64, &Memo)> = scored
        .iter()
        .map(|one| (one.tags, one.matched.iter().map(worth).sum(), one.memo))
        .filter(|(tags, worth, _)| *tags > 0 || *worth > 0.0)
        .collect();
    ranked.sort_by(best_first);
    ranked.into_iter().take(MAX_RECALLED).map(|(_, _, memo)| memo.clone()).collect()
}

fn best_first(a: &(usize, f64, &Memo), b: &(usize, f64, &Memo)) -> Ordering {
    (b.0.cmp(&a.0))
        .then_with(|| b.1.total_cmp(&a.1))
        .then_with(|| b.2.updated.cmp(&a.2.updated))
        .then_with(|| a.2.id.cmp(&b.2.id))
}

/// A memo with what of the prompt it matches.
struct ScoredMemo<'a> {
    memo: &'a Memo,
    /// How many of its tags match.
    tags: usize,
    /// Which of the terms it has.
    matched: BTreeSet<String>,
}

impl<'a> ScoredMemo<'a> {
    fn of(memo: &'a Memo, wanted: &BTreeSet<String>) -> Self {
        let tag_matches = |tag: &&String| {
            let terms = terms(tag);
            // The first term is the whole tag; when there are more, the others are its parts.
            let parts = if terms.len() > 1 { terms.get(1..) } else { None }.unwrap_or_default();
            let whole = terms.first().is_some_and(|whole| wanted.contains(whole));
            whole || (!parts.is_empty() && parts.iter().all(|part| wanted.contains(part)))
        };
        let tags = memo.tags.iter().filter(tag_matches).count();
        let all = memo.tags.iter().flat_map(|tag| terms(tag)).chain(terms(&memo.content));
        Self { memo, tags, matched: all.filter(|term| wanted.contains(term)).collect() }
    }
}

/// The same over all memos of a scope. When there are very many, those changed longest ago are not looked at.
///
/// # Errors
/// [`NoteError`] if the memos cannot be read; a turn continues without them.
pub async fn recall_from(
    notes: &dyn NoteRepository,
    scope: &Scope,
    prompt: &str,
) -> Result<Vec<Memo>, NoteError> {
    if keywords(prompt).is_empty() {
        return Ok(Vec::new());
    }
    let memos = notes.list(&MemoFilter { limit: MAX_READ, ..MemoFilter::of(scope.clone()) }).await?;
    Ok(recall(prompt, &memos))
}

/// The note that hands recalled memos to the model, for the end of a request. Empty when there are none.
///
/// It says that they are notes of earlier sessions: something to know, nothing to obey. Long ones are cut, and
/// `retrieve_memos` with the memo's name gives all of it.
#[must_use]
pub fn recall_note(memos: &[Memo]) -> String {
    if memos.is_empty() {
        return String::new();
    }
    let list: Vec<String> = memos.iter().map(|memo| shown(memo, MAX_SHOWN)).collect();
    // A memo cannot close the note around it.
    let list = list.join("\n").replace("</recalled_memos", "<\\/recalled_memos");
    include_str!("recall_note.md").trim_end().replace("{memos}", &list)
}

/// A memo as a model or a person reads it: name, day, tags, and the content indented, so that none of its lines can
/// pass for one of ours.
#[must_use]
pub(crate) fn shown(memo: &Memo, most: usize) -> String {
    let tags = if memo.tags.is_empty() { String::new() } else { format!(" [{}]", memo.tags.join(", ")) };
    let mut text = format!("- {} ({}){tags}", memo.id, memo.updated.day());
    let end = memo.content.char_indices().nth(most).map(|(at, _)| at);
    let content = end.and_then(|end| memo.content.get(..end)).unwrap_or(&memo.content);
    push_indented(&mut text, content);
    if end.is_some() {
        text.push_str(&format!("\n  [cut here; retrieve_memos with query \"{}\" gives all of it]", memo.id));
    }
    text
}

/// Adds lines, indented so that none of them can pass for one of ours.
pub(crate) fn push_indented(text: &mut String, lines: &str) {
    for line in lines.lines() {
        text.push_str(if line.is_empty() { "\n" } else { "\n  " });
        text.push_str(line);
    }
}

#[cfg(test)]
mod tests;
