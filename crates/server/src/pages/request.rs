//! One request: what was sent, piece by piece.

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use throughline::{RequestPiece, SessionLog, receipts, request_pieces};
use throughline_conversation::Receipt;

use super::layout::{PageAnswer, page as frame, tabs, to_session, turner};
use super::text::{figure, percent, shown};
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::requests::{Numbered, split, whole};
use crate::sessions::known;

/// The page of a request.
pub(crate) async fn request(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    named: Numbered,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let (id, number) = split(named);
    let id = known(&app.storage, id).await?;
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    let (sent, pieces) = request_pieces(&app.handle(&id), &log.records, Some(number))?;
    let address = format!("/sessions/{id}/requests/{number}");
    let body = html! {
        (tabs(id.as_str(), ""))
        p.turner {
            @if number > 1 { a rel="prev" href={ "/sessions/" (id) "/requests/" (number - 1) } { "← request " (number - 1) } }
            a href={ (address) "/diff" } { "what changed since the request before" }
            @if last_request(&log) > number { a rel="next" href={ "/sessions/" (id) "/requests/" (number + 1) } { "request " (number + 1) " →" } }
        }
        (receipt(&sent.receipt))
        section {
            h2 { "What was sent" }
            (list(page.of(&pieces), page.offset()))
            (turner(page, pieces.len(), &address))
        }
    };
    Ok(frame(&format!("Request {number}"), &[to_session(&id)], &body))
}

/// The number of the newest request; 0: no request was sent.
pub(super) fn last_request(log: &SessionLog) -> u64 {
    receipts(&log.records).next_back().map_or(0, |receipt| receipt.request)
}

/// The figures and decisions of a request.
fn receipt(receipt: &Receipt) -> Markup {
    let used = receipt.reported.unwrap_or(receipt.predicted);
    let window = receipt.window;
    html! {
        dl.inline {
            dt { "turn" } dd { (receipt.turn) }
            dt { "model" } dd { (receipt.model) }
            dt { "window" } dd { (figure(window.used.total())) " of " (figure(window.effective_window())) " tokens, pressure " (receipt.pressure) }
            dt { @if receipt.reported.is_some() { "reported" } @else { "predicted" } }
            dd { (figure(used.cache_read)) " read from the cache, " (figure(used.cache_write)) " written to it, " (figure(used.input)) " uncached, " (figure(used.output)) " output" }
            dt { "predicted" } dd { (figure(receipt.predicted.cache_read)) " from the cache (" (percent(receipt.predicted.cache_read, receipt.predicted.prompt())) ")" }
            dt { "stopped" } dd { (receipt.stop) }
            @if let Some(miss) = receipt.cache_miss() { dt { "cache" } dd { "missed: " (miss.cause()) } }
        }
        @if !receipt.decisions.is_empty() {
            details {
                summary { (receipt.decisions.len()) @if receipt.decisions.len() == 1 { " decision" } @else { " decisions" } }
                ul.plain { @for decision in &receipt.decisions { li { b { (decision.step) } ": " (decision.what) " " span.sub { (decision.why) } } } }
            }
        }
    }
}

/// The pieces, each with its text folded.
fn list(pieces: &[RequestPiece], before: usize) -> Markup {
    html! {
        @for (place, piece) in pieces.iter().enumerate() {
            details.piece data-row="" {
                summary { (piece_line(before + place, piece)) }
                pre { (shown(&piece.text)) }
            }
        }
    }
}

/// What a piece is, where it comes from, its size, and whether it was read from the cache. `place` counts from 0.
pub(super) fn piece_line(place: usize, piece: &RequestPiece) -> Markup {
    html! {
        span.num { (place + 1) }
        span.kind.(piece.kind) { (piece.kind) }
        span.name { @if piece.name.is_empty() { (first_line(&piece.text)) } @else { (piece.name) } }
        span.sub { (source(piece)) }
        span.tokens { (figure(piece.tokens)) " tokens" }
        @if piece.cached { span.badge.good { "cached" } } @else { span.badge.plain { "not cached" } }
    }
}

fn source(piece: &RequestPiece) -> String {
    let turn = piece.source.turn.map_or(String::new(), |turn| format!("turn {turn}, "));
    match piece.source.records {
        None => "made for this request".to_owned(),
        Some(span) if span.first == span.last => format!("{turn}record {}", span.first),
        Some(span) => format!("{turn}records {} to {}", span.first, span.last),
    }
}

fn first_line(text: &str) -> String {
    throughline_text::headline(text, 80)
}
