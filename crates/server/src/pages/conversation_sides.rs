//! What stands at the two sides of a conversation: its turns, and what of it the model sees.

use maud::{Markup, html};
use throughline_completion::Dollars;
use throughline_conversation::WindowFigures;

use super::text::{cost, counted, short_figure};
use crate::inspector::{Conversation, RequestPoint, Sight, TurnRow};

/// Turns in the list.
const TURNS: usize = 400;

/// The turns, and the one that is read.
pub(super) fn turn_list(address: &str, turns: &[TurnRow], here: Option<u64>) -> Markup {
    let first = turns.len().saturating_sub(TURNS);
    html! {
        h2 { "Turns" }
        ol { @for turn in turns.iter().skip(first) { li {
            a href={ (address) "/conversation?turn=" (turn.turn) "#turn-" (turn.turn) } aria-current=[(here == Some(turn.turn)).then_some("true")] {
                span.number { (turn.turn) }
                span.what { @if turn.request.is_empty() { "(no words)" } @else { (turn.request) } }
                @if turn.dollars != Dollars::Unknown { span.sub { (cost(turn.dollars)) } }
            }
            @if let Some(tokens) = turn.compacted { div.engine { "◆ compacted −" (short_figure(tokens)) } }
        } } }
    }
}

/// What the line next to a message means, and how many messages of each kind there are.
pub(super) fn legend(
    conversation: &Conversation<'_>,
    last: Option<&RequestPoint>,
    next: Option<&WindowFigures>,
) -> Markup {
    html! {
        h2 { "What the model sees now" }
        dl {
            @if let Some(next) = next { dt { "in the window" } dd { "≈ " (short_figure(next.used.total())) " tokens" } }
            @if let Some(point) = last { dt { "last request" } dd { (short_figure(point.window.used.total())) " tokens" } }
            @for (sight, count) in conversation.counts() {
                dt { (match sight { Sight::Full => "word for word", Sight::Trimmed => "in part", Sight::Summary => "only summarized", Sight::Pinned => "pinned", Sight::Gone => "left out" }) }
                dd { (counted(count as u64, "message")) }
            }
        }
        h2 { "The line at the left" }
        ul.key { @for sight in Sight::ALL { li class=(sight.class()) { span.rail {} (sight.about()) } } }
    }
}
