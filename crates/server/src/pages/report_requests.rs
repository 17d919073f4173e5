//! The newest requests of a report, piece by piece, each next to the one before.

use maud::{Markup, html};
use throughline_stored::{SessionHandle, SessionLog};
use throughline_text::error_chain;

use super::piece::piece_line;
use super::request_diff::comparison;
use super::text::{figure, shown_start};
use crate::inspector::{RequestPiece, RequestPoint, request_pieces};

/// Maximum number of requests that are shown in pieces.
const REQUESTS: usize = 50;

/// Bytes of their pieces and comparisons, after which no further request is shown.
const BYTES: usize = 4 * 1024 * 1024;

/// Maximum bytes of one piece.
const PIECE: usize = 4_000;

/// Maximum number of lines of one comparison.
const LINES: usize = 200;

/// The pieces of a request, or why they cannot be made again.
type Pieces = Result<Vec<RequestPiece>, String>;

/// The newest requests, the newest first. A piece that the request before had at the same place is named there only by its
/// size: its text is where it was new. A request that cannot be made again, for example because a turn in it was deleted, says
/// so.
pub(super) fn newest_in_pieces(handle: &SessionHandle, log: &SessionLog, points: &[RequestPoint]) -> Markup {
    let pieces_of = |point: &RequestPoint| -> Pieces {
        let made = request_pieces(handle, &log.records, Some(point.request));
        made.map(|(_, pieces)| pieces).map_err(|error| error_chain(&error))
    };
    let Some(newest) = points.last() else { return html! { p.empty { "No request was sent yet." } } };
    let (mut made, mut bytes, mut own) = (Vec::new(), 0, pieces_of(newest));
    for (place, point) in points.iter().enumerate().rev().take(REQUESTS) {
        let before =
            place.checked_sub(1).and_then(|place| points.get(place)).map_or(Ok(Vec::new()), pieces_of);
        let markup = match &own {
            Ok(own) => {
                let is_last = made.len() + 1 == REQUESTS || place == 0;
                one(point, before.as_deref().unwrap_or_default(), own, is_last)
            }
            Err(why) => html! { div.piece { p.problem { "Request " (point.request) ": " (why) } } },
        };
        bytes += markup.0.len();
        made.push(markup);
        own = before;
        if bytes > BYTES {
            break;
        }
    }
    let left_out = points.len() - made.len();
    html! {
        @if left_out > 0 {
            p.sub { "The newest " (figure(made.len() as u64)) " requests; " (figure(left_out as u64)) " older ones are left out here. " code { "throughline serve" } " and " code { "throughline show SESSION --request N" } " have all." }
        }
        @for markup in &made { (markup) }
    }
}

/// A request, with the texts of what it has new, or of everything.
fn one(point: &RequestPoint, before: &[RequestPiece], own: &[RequestPiece], with_all_texts: bool) -> Markup {
    let same = own.iter().zip(before).take_while(|(one, other)| one.text == other.text).count();
    html! {
        details.piece {
            summary {
                span.kind { "request " (point.request) }
                span.name { "turn " (point.turn) ", " (figure(own.len() as u64)) " pieces, " (figure(same as u64)) " of them as in the request before" }
                span.tokens { (figure(point.window.used.total())) " tokens" }
            }
            @for (place, piece) in own.iter().enumerate() {
                @if place >= same || with_all_texts {
                    details.piece { summary { (piece_line(place, piece, None)) } pre tabindex="0" { (shown_start(&piece.text, PIECE)) } }
                } @else {
                    div.piece.line { (piece_line(place, piece, None)) }
                }
            }
            h3 { "What it changed" }
            (comparison(before, own, LINES))
        }
    }
}
