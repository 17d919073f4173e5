//! One request: what was sent, piece by piece.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};
use throughline_conversation::{Receipt, SessionId};
use throughline_stored::{SessionLog, receipts};

use super::answer_place::answer_of;
use super::layout::{PageFailure, page as frame, tabs, to_session, turner};
use super::piece::piece_line;
use super::strip::strip;
use super::text::{counted, dollars, field, figure, percent, shown};
use crate::app::App;
use crate::inspector::{ExplainedPiece, explained_pieces, timeline};
use crate::page::Page;
use crate::params::Params;
use crate::requests::{Numbered, split, whole};
use crate::sessions::{stored, table};

/// The page of a request.
pub(crate) async fn request(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    named: Numbered,
) -> Result<Response, PageFailure> {
    let page = Page::read(&params)?;
    let (id, number) = split(named);
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    if let Some(part) = app.mirror(&id, &log).await? {
        return Ok(answer_of(&part, number, &format!("/sessions/{id}"))?);
    }
    let table = table()?;
    let (sent, pieces) = explained_pieces(&app.handle(&id), &log.records, number, &table)?;
    let page = page.within(pieces.len());
    let points = timeline(&log.records, &table);
    let point = points.iter().find(|point| point.request == number);
    let address = format!("/sessions/{id}/requests/{number}");
    let body = html! {
        (tabs(&id, &log, ""))
        nav.turner aria-label="Requests" {
            @if number > 1 { a rel="prev" href={ "/sessions/" (id) "/requests/" (number - 1) } { "← request " (number - 1) } }
            a data-key="d" href={ (address) "/diff" } { "what changed since the request before" }
            @if last_request(&log) > number { a rel="next" href={ "/sessions/" (id) "/requests/" (number + 1) } { "request " (number + 1) " →" } }
        }
        @if let Some(point) = point { div.whole { (strip(point)) } }
        (receipt(&id, &log, &sent.receipt, point.and_then(|point| point.dollars)))
        section {
            h2 { "What was sent" }
            p.sub { "Front to back, as the provider reads it. Tokens are estimates; a price is the piece's share of what the provider reported." }
            (list(&id, page.of(&pieces), page.offset()))
            (turner(page, pieces.len(), &address))
        }
    };
    Ok(frame(&format!("Request {number}"), &[to_session(&session)], &body).into_response())
}

/// The number of the newest request; 0: no request was sent.
pub(super) fn last_request(log: &SessionLog) -> u64 {
    receipts(&log.records).next_back().map_or(0, |receipt| receipt.request)
}

/// The figures and decisions of a request.
fn receipt(id: &SessionId, log: &SessionLog, receipt: &Receipt, price: Option<f64>) -> Markup {
    let used = receipt.reported.unwrap_or(receipt.predicted);
    let window = receipt.window;
    let compaction =
        log.compaction_objects().into_iter().rev().find(|one| *field(one, "request") == receipt.request);
    html! {
        dl.inline {
            dt { "turn" } dd { (receipt.turn) }
            dt { "model" } dd { (receipt.model) }
            dt { "window" } dd { (figure(window.used.total())) " of " (figure(window.effective_window())) " tokens (" (percent(window.used.total(), window.effective_window())) "), pressure " (receipt.pressure) }
            dt { @if receipt.reported.is_some() { "reported" } @else { "predicted" } }
            dd { (figure(used.cache_read)) " tokens read from the cache, " (figure(used.cache_write)) " written to it, " (figure(used.input)) " uncached, " (figure(used.output)) " output" }
            @if receipt.reported.is_some() { dt { "predicted" } dd { (figure(receipt.predicted.cache_read)) " tokens from the cache (" (percent(receipt.predicted.cache_read, receipt.predicted.prompt())) " of the prompt)" } }
            dt { "cost" } dd { @if price.is_some() { (dollars(price)) } @else { "not known" } }
            @if used.searches > 0 || !receipt.searches.is_empty() {
                dt { "web searches" } dd { (figure(used.searches)) " charged" @for search in &receipt.searches { br; (search.query) " " span.sub { (search.summary().lines().next().unwrap_or_default()) } } }
            }
            @if !receipt.cited.is_empty() {
                dt { "cites" } dd { @for source in &receipt.cited { (source.line()) br; } }
            }
            dt { "stopped" } dd { (receipt.stop.replace('_', " ")) }
            @if let Some(miss) = receipt.cache_miss() { dt { "cache" } dd { "missed: " (miss.cause()) } }
            @if let (Some(one), true) = (compaction, receipt.compaction.is_some()) {
                dt { "before it" } dd { a href={ "/sessions/" (id) "/compactions/" (field(&one, "number")) } { "compaction " (field(&one, "number")) } ": " (field(&one, "reason").as_str().unwrap_or_default()) }
            }
        }
        @if !receipt.decisions.is_empty() {
            details.decisions {
                summary { (counted(receipt.decisions.len() as u64, "decision")) }
                ul.plain { @for decision in &receipt.decisions { li { b { (decision.step.replace('_', " ")) } ": " (decision.what) " " span.sub { (decision.why) } } } }
            }
        }
    }
}

/// The pieces, each with its text, cost and reason folded.
fn list(id: &SessionId, pieces: &[ExplainedPiece], before: usize) -> Markup {
    html! {
        @for (place, one) in pieces.iter().enumerate() {
            details.piece data-row="" id={ "piece-" (before + place + 1) } {
                summary { (piece_line(before + place, &one.piece, Some(one.cost.dollars_so_far))) }
                (facts(id, one))
                pre tabindex="0" aria-label="Text of the piece" { (shown(&one.piece.text)) }
            }
        }
    }
}

/// Where a piece comes from, what it has cost, and why it is there.
fn facts(id: &SessionId, one: &ExplainedPiece) -> Markup {
    let (cost, requests) = (&one.cost, one.cost.last.saturating_sub(one.cost.first) + 1);
    html! {
        dl.inline.of-piece {
            dt { "decision" }
            dd {
                (one.reason.text)
                @if let Some(number) = one.reason.compaction { " · " a href={ "/sessions/" (id) "/compactions/" (number) } { "compaction " (number) } }
            }
            dt { "source" }
            dd {
                @match one.piece.source.records {
                    None => { "made for this request" },
                    Some(span) => {
                        a href={ "/sessions/" (id) "/records/" (span.first) } { "record " (span.first) }
                        @if span.last > span.first { " to " a href={ "/sessions/" (id) "/records/" (span.last) } { (span.last) } }
                    },
                }
            }
            dt { "sent" }
            dd {
                @if requests == 1 { "in this request" } @else { "in requests " (cost.first) " to " (cost.last) }
                @if cost.has_left { ", then it left" } @else { ", the newest one" }
            }
            dt { "price" }
            dd {
                @match (cost.dollars_so_far, cost.dollars) {
                    (Some(so_far), Some(all)) => {
                        (dollars(Some(so_far))) " so far"
                        @if cost.has_left { ", " (dollars(Some(all))) " until it left" }
                        @else { ", " (dollars(Some(all))) " up to the newest request, which still has it" }
                    },
                    _ => { "not known: the price of a model is missing" },
                }
            }
        }
    }
}
