//! Lists, searches and shows memos.

use anyhow::ensure;
use serde_json::{Value, json};
use throughline::now;
use throughline_memory::{
    Kinds, Memo, MemoFilter, MemoryHit, MemorySearch, NoteRepository, Query, Scope, normalised_tags,
};

use super::MemoCommands;
use super::find::find;
use crate::answer::Answer;
use crate::sessions::age;
use crate::terminal::{headline, plain, table};

/// Characters of a memo's first line that are listed.
const LINE: usize = 60;

/// Most results of a search.
const FOUND: usize = 50;

/// Lists memos, the last changed first.
pub(super) async fn list(commands: &MemoCommands, tags: &[String]) -> anyhow::Result<Answer> {
    let filter = MemoFilter { tags: normalised_tags(tags)?, ..MemoFilter::of(commands.scope.clone()) };
    let memos = commands.data.store.notes().list(&filter).await?;
    let none = match filter.tags.as_slice() {
        [] => "No memos yet. `throughline memos add TEXT` adds one, and the model can too.".to_owned(),
        tags => format!("No memo has the tag {}.", tags.join(" or ")),
    };
    Ok(answer(commands, &memos, &none))
}

/// Searches memos for words, best match first.
pub(super) async fn search(commands: &MemoCommands, words: &str) -> anyhow::Result<Answer> {
    let query = Query::of(words, Kinds::Memos);
    ensure!(
        !query.is_empty(),
        "{words:?} has no word to search for; words that occur in nearly every text are ignored"
    );
    let hits = commands.data.store.memory_search().search(&query, &commands.scope, FOUND).await?;
    let memo = |hit| match hit {
        MemoryHit::Memo(memo) => Some(memo),
        MemoryHit::Chunk { .. } => None,
    };
    let memos: Vec<Memo> = hits.into_iter().filter_map(memo).collect();
    Ok(answer(commands, &memos, &format!("No memo contains a word of {words:?}.")))
}

/// Shows a memo.
pub(super) async fn show(commands: &MemoCommands, id: &str) -> anyhow::Result<Answer> {
    let memo = find(commands, id).await?;
    let time = now();
    let mut head = format!("{} · written {} ago", memo.id, age(time, memo.created));
    if memo.updated != memo.created {
        head.push_str(&format!(" · changed {} ago", age(time, memo.updated)));
    }
    let tags = if memo.tags.is_empty() { "none".to_owned() } else { memo.tags.join(", ") };
    let folder = memo.workspace.as_deref().unwrap_or("any");
    let text = format!("{head}\ntags: {tags}\nfolder: {folder}\nby: {}\n\n{}", writer(&memo), memo.content);
    Ok(Answer { text: plain(&text), json: object(&memo) })
}

fn answer(commands: &MemoCommands, memos: &[Memo], none: &str) -> Answer {
    let json = Value::Array(memos.iter().map(object).collect());
    if memos.is_empty() {
        return Answer { text: plain(none), json };
    }
    let everywhere = commands.scope == Scope::All;
    let row = |cells: [String; 6]| -> Vec<String> {
        let cells = cells.into_iter().enumerate();
        cells.filter(|(at, _)| everywhere || *at != 3).map(|(_, cell)| cell).collect()
    };
    let mut rows: Vec<Vec<String>> =
        vec![row(["MEMO", "AGE", "TAGS", "FOLDER", "BY", "FIRST LINE"].map(str::to_owned))];
    let time = now();
    rows.extend(memos.iter().map(|memo| {
        row([
            memo.id.to_string(),
            age(time, memo.updated),
            if memo.tags.is_empty() { "-".to_owned() } else { memo.tags.join(",") },
            headline(memo.workspace.as_deref().unwrap_or("-"), LINE),
            writer(memo),
            headline(&memo.content, LINE),
        ])
    }));
    Answer { text: table(&rows).join("\n"), json }
}

/// The author.
fn writer(memo: &Memo) -> String {
    match (&memo.session, memo.exchange) {
        (Some(session), Some(group)) => format!("{session}, turn {group}"),
        (Some(session), None) => session.to_string(),
        (None, _) => "user".to_owned(),
    }
}

/// A memo for a program.
pub(super) fn object(memo: &Memo) -> Value {
    json!({
        "memo": memo.id,
        "content": memo.content,
        "tags": memo.tags,
        "workspace": memo.workspace,
        "session": memo.session,
        "group": memo.exchange,
        "created_ms": memo.created,
        "updated_ms": memo.updated,
    })
}
