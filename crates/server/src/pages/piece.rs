//! A piece of a request in one line.

use maud::{Markup, html};

use super::text::{dollars, figure};
use crate::inspector::RequestPiece;

/// What a piece is, where it comes from, its size, what it has cost so far if that is asked for, and whether it was read from the
/// cache. `place` counts from 0.
pub(super) fn piece_line(place: usize, piece: &RequestPiece, cost: Option<Option<f64>>) -> Markup {
    html! {
        span.place { (place + 1) }
        span.kind.(piece.kind) { (piece.kind) }
        span.name { @if piece.name.is_empty() { (first_line(&piece.text)) } @else { (piece.name) } }
        span.sub { (source(piece)) }
        span.tokens { (figure(piece.tokens)) " tokens" }
        @if let Some(cost) = cost { span.tokens.cost { (dollars(cost)) } }
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
