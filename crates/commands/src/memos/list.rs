//! Lists, searches and shows memos.

use serde_json::json;
use throughline_memory::{Memo, Scope, normalised_tags};
use throughline_stored::{Memos, memo_object, now};
use throughline_terminal::table;
use throughline_text::{headline, plain};

use super::find::find;
use crate::age::age;
use crate::answer::Answer;

/// Characters of a memo's first line that are listed.
const LINE: usize = 60;

/// Lists memos, the last changed first.
pub async fn list(memos: &Memos, tags: &[String]) -> anyhow::Result<Answer> {
    let found = memos.list(tags).await?;
    let none = match normalised_tags(tags)?.as_slice() {
        [] => "No memos yet. `throughline memos add TEXT` adds one, and the model can too.".to_owned(),
        tags => format!("No memo has the tag {}.", tags.join(" or ")),
    };
    Ok(answer(memos, &found, &none))
}

/// Searches memos for words, best match first.
pub async fn search(memos: &Memos, words: &str) -> anyhow::Result<Answer> {
    let found = memos.search(words).await?;
    Ok(answer(memos, &found, &format!("No memo contains a word of {words:?}.")))
}

/// Shows a memo.
pub async fn show(memos: &Memos, id: &str) -> anyhow::Result<Answer> {
    let memo = find(memos, id).await?;
    let time = now();
    let mut head = format!("{} · written {} ago", memo.id, age(time, memo.created));
    if memo.updated != memo.created {
        head.push_str(&format!(" · changed {} ago", age(time, memo.updated)));
    }
    let tags = if memo.tags.is_empty() { "none".to_owned() } else { memo.tags.join(", ") };
    let folder = memo.workspace.as_deref().unwrap_or("any");
    let text = format!("{head}\ntags: {tags}\nfolder: {folder}\nby: {}\n\n{}", writer(&memo), memo.content);
    Ok(Answer { text: plain(&text), json: json!(memo_object(&memo)) })
}

fn answer(memos: &Memos, found: &[Memo], none: &str) -> Answer {
    let json = json!(found.iter().map(memo_object).collect::<Vec<_>>());
    if found.is_empty() {
        return Answer { text: plain(none), json };
    }
    let everywhere = memos.scope == Scope::All;
    let row = |cells: [String; 6]| -> Vec<String> {
        let cells = cells.into_iter().enumerate();
        cells.filter(|(at, _)| everywhere || *at != 3).map(|(_, cell)| cell).collect()
    };
    let mut rows: Vec<Vec<String>> =
        vec![row(["MEMO", "AGE", "TAGS", "FOLDER", "BY", "FIRST LINE"].map(str::to_owned))];
    let time = now();
    rows.extend(found.iter().map(|memo| {
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
