//! `search_history`: words in the histories of the visible sessions.

use std::time::Duration;

use serde_json::Value;
use throughline_continuity::SessionSummary;
use throughline_conversation::Millis;
use throughline_history::{Cell, HistoryDatabase};
use throughline_text::plain;
use tokio::time::Instant;

use crate::arguments;
use crate::error::CallError;
use crate::reading::query;
use crate::sessions::Sessions;

/// Hits when the call names no limit, and most hits.
const HITS: (usize, usize) = (10, 50);

/// Maximum number of hits that an offset may skip.
const SKIPPED: usize = 10_000;

/// Maximum bytes and words of a query.
const QUERY: (usize, usize) = (400, 12);

/// A search over many sessions looks at no further one after this time.
const LONGEST: Duration = Duration::from_secs(10);

/// Runs a call.
pub(crate) async fn search_history(
    sessions: &Sessions,
    history: &dyn HistoryDatabase,
    input: &Value,
) -> Result<String, CallError> {
    let words = words(arguments::text(input, "query")?)?;
    let limit = arguments::count(input, "limit", HITS.0)?.clamp(1, HITS.1);
    let offset = arguments::count(input, "offset", 0)?;
    if offset > SKIPPED {
        return Err(CallError::input(format!("\"offset\" may be at most {SKIPPED}; use rarer words")));
    }
    let named = arguments::session(input)?;
    let searched: Vec<&SessionSummary> = match named {
        Some(name) => vec![sessions.named(name)?],
        None => sessions.spoken().collect(),
    };
    let (until, wanted) = (Instant::now() + LONGEST, offset + limit + 1);
    let (mut hits, mut looked_at) = (Vec::new(), 0);
    for session in &searched {
        if hits.len() >= wanted || (looked_at > 0 && Instant::now() > until) {
            break;
        }
        let answer = query(&sessions.handle(session), history, &sql(&words, wanted - hits.len())).await?;
        hits.extend(answer.rows.iter().map(|row| hit(session, row)));
        looked_at += 1;
    }
    let more = hits.len() > offset + limit;
    let shown: Vec<String> = hits.into_iter().skip(offset).take(limit).collect();
    Ok(rendered(&shown, &words, &Place { offset, more, looked_at, all: searched.len() }))
}

/// Where the hits of a page are among all.
struct Place {
    offset: usize,
    more: bool,
    looked_at: usize,
    all: usize,
}

fn rendered(shown: &[String], words: &[String], place: &Place) -> String {
    let Place { offset, more, looked_at, all } = *place;
    let mut text = match shown {
        [] if offset > 0 => "No more hits.".to_owned(),
        [] => format!("No text has all of these words: {}.", words.join(", ")),
        shown => shown.join("\n"),
    };
    if more {
        text.push_str(&format!("\n[more hits: offset={}]", offset + shown.len()));
    } else if looked_at < all {
        text.push_str(&format!(
            "\n[{looked_at} of {all} sessions were searched, the newest ones; name an older session to search it]"
        ));
    }
    text
}

/// The words of a query.
fn words(query: Option<&str>) -> Result<Vec<String>, CallError> {
    let query = query.ok_or_else(|| CallError::input("\"query\" must be a string with words to look for"))?;
    if query.len() > QUERY.0 {
        return Err(CallError::input(format!(
            "\"query\" may have at most {} bytes; name a few rare words",
            QUERY.0
        )));
    }
    if query.chars().any(|letter| letter == '\0') {
        return Err(CallError::input("\"query\" has a NUL, which no text has"));
    }
    let words: Vec<String> = query.split_whitespace().map(str::to_owned).collect();
    if words.len() > QUERY.1 {
        return Err(CallError::input(format!(
            "\"query\" may have at most {} words; name a few rare ones",
            QUERY.1
        )));
    }
    Ok(words)
}

/// The rows that have every word, newest first. Calls of a query tool would find themselves.
fn sql(words: &[String], limit: usize) -> String {
    let has: Vec<String> =
        words.iter().map(|word| format!("content LIKE '%{}%' ESCAPE '\\'", pattern(word))).collect();
    let first = words.first().map_or("", String::as_str).replace('\'', "''");
    format!(
        "SELECT id, role, kind, tool_name, created_at, length(content), substr(content, max(1, instr(lower(content), \
         lower('{first}')) - 80), 240) FROM messages WHERE status <> 'dropped' AND kind <> 'summary' AND tool_name IS NOT \
         'query_db' AND {} ORDER BY id DESC LIMIT {limit}",
        has.join(" AND ")
    )
}

/// A word as a pattern of LIKE, in a string of SQL.
fn pattern(word: &str) -> String {
    let mut escaped = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            '%' | '_' | '\\' => escaped.extend(['\\', letter]),
            '\'' => escaped.push_str("''"),
            other => escaped.push(other),
        }
    }
    escaped
}

fn hit(session: &SessionSummary, row: &[Cell]) -> String {
    let cell = |at: usize| match row.get(at) {
        Some(Cell::Text { text, .. }) => text.clone(),
        Some(Cell::Integer(number)) => number.to_string(),
        _ => String::new(),
    };
    let created = match row.get(4) {
        Some(Cell::Integer(at)) => Millis(*at).rfc3339(),
        _ => String::new(),
    };
    let (id, role, kind, tool) = (cell(0), cell(1), cell(2), cell(3));
    let tool = if tool.is_empty() { tool } else { format!(" {tool}") };
    let text = plain(&cell(6)).split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "- session {} id {id} [{role} {kind}{tool}, {created}, {} chars] {text}",
        session.info.id,
        cell(5)
    )
}

#[cfg(test)]
mod tests;
