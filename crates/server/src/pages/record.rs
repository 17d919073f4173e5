//! One record of a log, and the request that sent it first.

use axum::extract::State;
use maud::html;
use throughline_conversation::{RecordBody, ResultRef, Seq};
use throughline_stored::{SessionHandle, SessionLog, preview_reference, receipts};

use super::layout::{PageAnswer, page as frame, tabs, to_session};
use super::text::{shown, time};
use crate::answer::Failure;
use crate::app::App;
use crate::inspector::{record_text, request_pieces};
use crate::page::Page;
use crate::requests::{Numbered, split, whole};
use crate::sessions::stored;

/// The page of a record.
pub(crate) async fn record(State(app): State<App>, named: Numbered) -> PageAnswer {
    let (id, number) = split(named);
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    let place = log.records.partition_point(|record| record.seq < Seq(number));
    let record = log.record(Seq(number)).map_err(|lost| {
        Failure::missing(lost.map_or_else(
            || format!("session {id} has no record {number}; its records are 1 to {}", log.last),
            ToString::to_string,
        ))
    })?;
    let own = format!("/sessions/{id}");
    let stored = stored_results(&record.body);
    let sent = first_sent(&app.handle(&id), &log, record.seq);
    let body = html! {
        (tabs(&id, &log, ""))
        nav.turner aria-label="Records" {
            @if let Some(before) = place.checked_sub(1).and_then(|place| log.records.get(place)) { a rel="prev" href={ (own) "/records/" (before.seq) } { "← record " (before.seq) } }
            @if let Some(next) = log.records.get(place + 1) { a rel="next" href={ (own) "/records/" (next.seq) } { "record " (next.seq) " →" } }
        }
        dl.inline {
            dt { "kind" } dd { (record.body.kind()) }
            @if record.exchange.0 > 0 { dt { "turn" } dd { (record.exchange) } }
            dt { "time" } dd { (time(record.at)) " UTC" }
            @if !stored.is_empty() {
                dt { "stored" }
                dd { @for one in &stored { a href={ (own) "/results/" (one) } { (one) } " " } }
            }
            dt { "sent" }
            dd {
                @match sent {
                    None => { "in no request that can be shown" },
                    Some((request, piece)) => {
                        "first in request " (request) ", as "
                        a href={ (own) "/requests/" (request) (Page::with(piece)) "#piece-" (piece + 1) } { "piece " (piece + 1) }
                    },
                }
            }
        }
        pre.alone tabindex="0" aria-label="Text of the record" { (shown(&record_text(record))) }
    };
    Ok(frame(&format!("Record {number}"), &[to_session(&session)], &body))
}

/// The stored results whose previews a record holds.
fn stored_results(body: &RecordBody) -> Vec<ResultRef> {
    let RecordBody::Message(message) = body else { return Vec::new() };
    message.message.tool_results().filter_map(|result| preview_reference(&result.content)).collect()
}

/// The first request that sent a record, and the place of its piece from 0.
fn first_sent(handle: &SessionHandle, log: &SessionLog, record: Seq) -> Option<(u64, usize)> {
    let request = receipts(&log.records).find(|receipt| receipt.upto >= record)?.request;
    let (_, pieces) = request_pieces(handle, &log.records, Some(request)).ok()?;
    let has = |span: throughline_conversation::Span| span.first <= record && record <= span.last;
    let place = pieces.iter().position(|piece| piece.source.records.is_some_and(has))?;
    Some((request, place))
}
