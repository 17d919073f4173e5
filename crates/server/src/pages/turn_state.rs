//! What the turn of a session does that runs here.

use maud::{Markup, html};

use super::text::ago;
use crate::turns::RunningTurn;

/// A mark that a turn runs, or waits for an answer of a person.
pub(super) fn turn_pill(turn: &RunningTurn) -> Markup {
    html! {
        @if turn.is_asking() { span.pill.warn { "waits for an answer" } }
        @else { span.pill.good title={ "began " (ago(turn.began())) } { "running" } }
    }
}
