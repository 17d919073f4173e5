//! What a transcript cost: by cause, by tool, and by its largest items.

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use throughline_completion::Dollars;

use super::cost::causes;
use super::layout::PageFailure;
use super::text::{figure, money};
use super::transcript_frame::shown;
use super::transcripts::tabs;
use crate::app::App;
use crate::sessions::Named;
use crate::transcripts::{OpenedTranscript, TranscriptPart};

/// What a transcript cost.
pub(crate) async fn transcript_cost(State(app): State<App>, key: Named) -> Result<Response, PageFailure> {
    let body = |_, opened| async move { body(&opened) };
    shown(app, key, Some("Cost".to_owned()), body).await
}

fn body(opened: &OpenedTranscript) -> Result<Markup, PageFailure> {
    let part = opened.part()?;
    Ok(html! {
        (tabs(opened, part, "Cost"))
        (cost_of(part, &format!("/transcripts/{}", opened.key)))
    })
}

/// The cost by cause, tool and item. `address`: that of the transcript's pages.
pub(super) fn cost_of(part: &TranscriptPart, address: &str) -> Markup {
    let has_prices = part.dollars() != Dollars::Unknown;
    html! {
        section { h2 { "By cause" } (causes(&part.causes(), &part.figures(&[]), Some(address))) }
        section {
            h2 { "By tool" }
            table.rows.narrow {
                thead { tr { th { "Tool" } th.num { "Calls" } th.num { "Tokens" } @if has_prices { th.num { "Cost" } } } }
                tbody { @for tool in part.tools() { tr {
                    td.lead { (tool.tool) }
                    td.num data-label="Calls" { (figure(tool.calls)) }
                    td.num data-label="Tokens" { (figure(tool.tokens)) }
                    @if has_prices { td.num data-label="Cost" { (money(Some(tool.dollars()))) } }
                } } }
            }
            p.sub { "A cost is that of all requests that had the calls and results, and of writing the calls. In parentheses: what is no tool." }
        }
        section {
            h2 { "Largest items" }
            table.rows {
                thead { tr { th { "Item" } th { "Tool" } th.num { "Turn" } th.num { "Tokens" } th.num { "Requests" } @if has_prices { th.num { "Cost" } } } }
                tbody { @for item in &part.audit.largest { tr data-row="" {
                    td.lead { @if item.turn > 0 { a href={ (address) "/conversation?turn=" (item.turn) "#turn-" (item.turn) } { (item.name) } } @else { (item.name) } }
                    td data-label="Tool" { (item.tool.as_deref().unwrap_or("–")) }
                    td.num data-label="Turn" { (item.turn) }
                    td.num data-label="Tokens" { (figure(item.tokens.round() as u64)) }
                    td.num data-label="Requests" { (figure(item.requests)) }
                    @if has_prices { td.num data-label="Cost" { (money(Some(item.dollars()))) } }
                } } }
            }
        }
        @if !part.audit.repeated_reads.is_empty() { section {
            h2 { "Files read again" }
            table.rows.narrow {
                thead { tr { th { "File" } th.num { "Reads" } @if has_prices { th.num { "Cost of the repeats" } } } }
                tbody { @for read in part.audit.repeated_reads.iter().take(25) { tr {
                    td.lead { code { (read.path) } }
                    td.num data-label="Reads" { (figure(read.reads)) }
                    @if has_prices { td.num data-label="Cost of the repeats" { (money(Some(read.dollars))) } }
                } } }
            }
        } }
    }
}
