//! One compaction: what left the view, what took its place, and what of it was needed later.

use axum::extract::State;
use maud::{Markup, html};
use serde_json::{Value, json};
use throughline_groups::CompactionDiff;

use super::layout::{PageAnswer, page as frame, tabs, to_session};
use super::overview::{CompactionRow, before_after};
use super::session::compaction_rows;
use super::text::{counted, field, figure, money, shown};
use super::transcript_overview;
use crate::app::App;
use crate::requests::{Numbered, split, whole};
use crate::sessions::{stored, table};
use crate::transcripts::part_diff;

/// Maximum number of messages of a stretch that are listed.
const MESSAGES: usize = 200;

/// The page of a compaction.
pub(crate) async fn compaction(State(app): State<App>, named: Numbered) -> PageAnswer {
    let (id, number) = split(named);
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    if let Some(part) = app.mirror(&id, &log).await? {
        let (diff, rows) = (part_diff(&part, number).await?, transcript_overview::compaction_rows(&part));
        let row = rows.iter().find(|row| row.number == number).cloned().unwrap_or_default();
        let body = html! {
            (tabs(&id, &log, ""))
            (compaction_body(&diff, &row, rows.len() as u64, &format!("/sessions/{id}"), false))
        };
        return Ok(frame(&format!("Compaction {number}"), &[to_session(&session)], &body));
    }
    let diff = app.handle(&id).compaction(&log, Some(number))?;
    let rows = compaction_rows(&log, &table()?);
    let row = rows.iter().find(|row| row.number == number).cloned().unwrap_or_default();
    let body = html! {
        (tabs(&id, &log, ""))
        (compaction_body(&diff, &row, rows.len() as u64, &format!("/sessions/{id}"), true))
    };
    Ok(frame(&format!("Compaction {number}"), &[to_session(&session)], &body))
}

/// What a compaction took away, with the way to the one before and after it. `is_logged`: the log of the pages has its record.
pub(super) fn compaction_body(
    diff: &CompactionDiff,
    row: &CompactionRow,
    last: u64,
    address: &str,
    is_logged: bool,
) -> Markup {
    let number = diff.number;
    let diff = json!(diff);
    let figures = |side: &str| {
        let of = |name: &str| field(field(&diff, side), name).as_u64().unwrap_or_default();
        format!(
            "{} with {} (estimated, without tools and system prompt)",
            counted(of("messages"), "message"),
            counted(of("tokens"), "token")
        )
    };
    html! {
        nav.turner aria-label="Compactions" {
            @if number > 1 { a rel="prev" href={ (address) "/compactions/" (number - 1) } { "← compaction " (number - 1) } }
            @if let Some(request) = row.request { a href={ (address) "/conversation?request=" (request) "#compaction-" (number) } { "in the conversation" } }
            @if number < last { a rel="next" href={ (address) "/compactions/" (number + 1) } { "compaction " (number + 1) " →" } }
        }
        section.card.wide.of-compaction {
            (before_after(row.before, row.after, row.before.max(row.after).unwrap_or(1)))
            dl.inline {
                @if *field(&diff, "undone") == true { dt { "state" } dd { span.pill.warn { "undone" } } }
                @if !row.why.is_empty() { dt { "why" } dd { (row.why) } }
                @if let Some(request) = row.request { dt { "when" } dd { "before " a href={ (address) "/requests/" (request) } { "request " (request) } } }
                @if row.dollars.is_some() { dt { "cost" } dd { (money(row.dollars)) @for note in &row.notes { " · " (note) } } }
                @else if !row.notes.is_empty() { dt { "known" } dd { (row.notes.join(" · ")) } }
                dt { "view before" } dd { (figures("before")) }
                @if field(field(&diff, "after"), "messages").as_u64() != Some(0) { dt { "view after" } dd { (figures("after")) } }
                dt { "how" } dd { (list(field(&diff, "strategies"))) }
                @if is_logged { dt { "record" } dd { a href={ (address) "/records/" (field(&diff, "edit")) } { (field(&diff, "edit")) } } }
            }
        }
        section { h2 { "Needed later" } (needed(field(&diff, "needed"))) }
        section { h2 { "What left the view" } (covers(field(&diff, "covers"))) }
        @if let Some(replaced) = field(&diff, "replaced").as_array().filter(|all| !all.is_empty()) {
            section { h2 { "Results that became references" } (replacements(replaced)) }
        }
    }
}

fn list(of: &Value) -> String {
    let texts = of.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.collect::<Vec<_>>().join(", ").replace('_', " ")
}

/// What of the removed the model needed again.
fn needed(needed: &Value) -> Markup {
    let kinds =
        [("names", "Names"), ("lines", "Lines"), ("files", "Files read again"), ("read_back", "Read back")];
    html! {
        @if needed.is_null() { p.empty { "No later answer has used a name, a line or a file that left here and was not shown again." } }
        @else {
            @if field(needed, "price").as_f64().unwrap_or_default() > 0.0 { p { "Fetching it again cost as much as " (figure(field(needed, "price").as_f64().unwrap_or_default() as u64)) " tokens of uncached input." } }
            p.sub { "Later answers used these, and the request before did not show them any more." }
            dl.needed { @for (field_name, name) in kinds { @if let Some(texts) = field(needed, field_name).as_array().filter(|all| !all.is_empty()) {
                dt { (name) }
                @for text in texts { dd { code { (text.as_str().unwrap_or_default()) } } }
            } } }
        }
    }
}

/// Stretches of messages that one text replaces, or nothing.
struct ShownCover<'d> {
    first: u64,
    last: u64,
    stretches: u64,
    messages: Vec<&'d Value>,
    summary: Option<&'d str>,
}

impl ShownCover<'_> {
    fn title(&self) -> String {
        let Self { first, last, stretches, .. } = self;
        let records =
            if first == last { format!("Record {first}") } else { format!("Records {first} to {last}") };
        let within = if *stretches > 1 { format!(", {stretches} stretches") } else { String::new() };
        format!("{records}{within}: {}", counted(self.messages.len() as u64, "message"))
    }
}

/// The stretches of a compaction. Those that follow each other and have nothing in their place are one.
fn joined(covers: &Value) -> Vec<ShownCover<'_>> {
    let mut all: Vec<ShownCover<'_>> = Vec::new();
    for cover in covers.as_array().into_iter().flatten() {
        let end = |name: &str| field(field(cover, "span"), name).as_u64().unwrap_or_default();
        let messages = field(cover, "messages").as_array().into_iter().flatten();
        let summary = field(cover, "summary").as_str();
        match all.last_mut().filter(|before| before.summary.is_none() && summary.is_none()) {
            Some(before) => {
                before.last = end("last");
                before.stretches += 1;
                before.messages.extend(messages);
            }
            None => all.push(ShownCover {
                first: end("first"),
                last: end("last"),
                stretches: 1,
                messages: messages.collect(),
                summary,
            }),
        }
    }
    all
}

fn covers(covers: &Value) -> Markup {
    html! { @for cover in joined(covers) {
        @let messages = &cover.messages;
        article.cover {
            h3 { (cover.title()) }
            details {
                summary { "The messages" }
                pre.diff tabindex="0" { @for message in messages.iter().take(MESSAGES) {
                    span.removed {
                        "− " (field(message, "kind").as_str().unwrap_or_default()) ": " (field(message, "first_line").as_str().unwrap_or_default())
                        " (" (figure(field(message, "tokens").as_u64().unwrap_or_default())) " tokens)\n"
                    }
                } }
            }
            @match cover.summary {
                Some(text) => { h4 { "Shown in their place" } pre.diff { @for line in shown(text).lines() { span.added { "+ " (line) "\n" } } } }
                None => { p.sub { "Nothing is shown in their place." } }
            }
        }
    } }
}

fn replacements(replaced: &[Value]) -> Markup {
    html! { table.rows {
        thead { tr { th { "Tool" } th { "What" } th.num { "Bytes before" } th.num { "Bytes now" } th { "Reference" } } }
        tbody { @for one in replaced { tr {
            td.lead { (field(one, "tool").as_str().unwrap_or_default()) }
            td data-label="What" { (field(one, "part").as_str().unwrap_or_default()) }
            td.num data-label="Bytes before" { (figure(field(one, "before_bytes").as_u64().unwrap_or_default())) }
            td.num data-label="Bytes now" { (figure(field(one, "after_bytes").as_u64().unwrap_or_default())) }
            td data-label="Reference" { code { (field(one, "stored").as_str().unwrap_or_default()) } }
        } } }
    } }
}

#[cfg(test)]
mod tests;
