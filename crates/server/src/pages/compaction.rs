//! One compaction: what left the view, what took its place, and what of it was needed later.

use axum::extract::State;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::layout::{PageAnswer, page as frame, tabs, to_session};
use super::text::{field, figure, shown};
use crate::app::App;
use crate::requests::{Numbered, split, whole};
use crate::sessions::known;

/// Maximum number of messages of a stretch that are listed.
const MESSAGES: usize = 200;

/// The page of a compaction.
pub(crate) async fn compaction(State(app): State<App>, named: Numbered) -> PageAnswer {
    let (id, number) = split(named);
    let id = known(&app.storage, id).await?;
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    let diff = json!(app.handle(&id).compaction(&log, Some(number))?);
    let all = log.compaction_objects();
    let made = usize::try_from(number).ok().and_then(|number| all.get(number.checked_sub(1)?));
    let made = made.unwrap_or(&Value::Null);
    let last = all.len() as u64;
    let figures = |side: &str| {
        let figure_of = |name: &str| figure(field(field(&diff, side), name).as_u64().unwrap_or_default());
        format!("{} messages with {} tokens (estimated)", figure_of("messages"), figure_of("tokens"))
    };
    let body = html! {
        (tabs(id.as_str(), ""))
        nav.turner aria-label="Compactions" {
            @if number > 1 { a rel="prev" href={ "/sessions/" (id) "/compactions/" (number - 1) } { "← compaction " (number - 1) } }
            @if number < last { a rel="next" href={ "/sessions/" (id) "/compactions/" (number + 1) } { "compaction " (number + 1) " →" } }
        }
        dl.inline {
            dt { "record" } dd { a href={ "/sessions/" (id) "/records/" (field(&diff, "edit")) } { (field(&diff, "edit")) } @if *field(&diff, "undone") == true { " " span.badge.warn { "undone" } } }
            dt { "why" } dd { (field(made, "reason").as_str().unwrap_or("–")) }
            @if let Some(request) = field(made, "request").as_u64() { dt { "when" } dd { "before " a href={ "/sessions/" (id) "/requests/" (request) } { "request " (request) } } }
            dt { "view before" } dd { (figures("before")) }
            dt { "view after" } dd { (figures("after")) }
            dt { "how" } dd { (list(field(&diff, "strategies"))) }
        }
        section { h2 { "Needed later" } (needed(field(&diff, "needed"))) }
        section { h2 { "What left the view" } (covers(field(&diff, "covers"))) }
        @if let Some(replaced) = field(&diff, "replaced").as_array().filter(|all| !all.is_empty()) {
            section { h2 { "Results that became references" } (replacements(replaced)) }
        }
    };
    Ok(frame(&format!("Compaction {number}"), &[to_session(&id)], &body))
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
        @if needed.is_null() { p.empty { "Nothing of it so far." } }
        @else {
            p { "Fetching it again cost as much as " (figure(field(needed, "price").as_f64().unwrap_or_default() as u64)) " tokens of uncached input." }
            dl.needed { @for (field_name, name) in kinds { @if let Some(texts) = field(needed, field_name).as_array().filter(|all| !all.is_empty()) {
                dt { (name) }
                @for text in texts { dd { code { (text.as_str().unwrap_or_default()) } } }
            } } }
        }
    }
}

fn covers(covers: &Value) -> Markup {
    html! { @for cover in covers.as_array().into_iter().flatten() {
        @let messages = field(cover, "messages").as_array().map(Vec::as_slice).unwrap_or_default();
        article.cover {
            h3 { "Records " (field(field(cover, "span"), "first")) " to " (field(field(cover, "span"), "last")) ": " (messages.len()) " messages" }
            details {
                summary { "The messages" }
                pre.diff { @for message in messages.iter().take(MESSAGES) {
                    span.removed {
                        "− " (field(message, "kind").as_str().unwrap_or_default()) ": " (field(message, "first_line").as_str().unwrap_or_default())
                        " (" (figure(field(message, "tokens").as_u64().unwrap_or_default())) " tokens)\n"
                    }
                } }
            }
            @match field(cover, "summary").as_str() {
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
