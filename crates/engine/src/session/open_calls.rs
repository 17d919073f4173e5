//! Turns that were cut off: open calls and stop notes.

use throughline_continuity::{close_open_calls, is_stop_note, stop_note};
use throughline_conversation::{ExchangeId, Source, continue_note};

use super::Session;
use crate::turn_context::TurnContext;

impl Session {
    /// Answers the calls that a crash or a stop left open, so that providers accept the transcript.
    pub(crate) fn close_open_calls(&mut self, turn: &TurnContext<'_>) {
        if let Some(message) = close_open_calls(&self.view) {
            self.append_message(turn, message, Source::Engine);
        }
    }

    /// Begins a group behind hidden ones in which nothing is said yet. An answer alone would follow another message of the model once
    /// the group that it answers is hidden, too.
    pub(crate) fn begin_shown_group(&mut self, turn: &TurnContext<'_>) {
        let newest = self.view.native().last().map_or(ExchangeId(0), |entry| entry.exchange);
        if self.view.groups().hidden().any(|(group, _)| group > newest) {
            self.append_message(turn, continue_note(), Source::Engine);
        }
    }

    /// Tells the model that the turn was stopped here.
    pub(crate) fn note_stop(&mut self, turn: &TurnContext<'_>) {
        if !self.was_stopped() {
            self.append_message(turn, stop_note(), Source::Engine);
        }
    }

    /// Returns true if the view ends with a stop note.
    pub(crate) fn was_stopped(&self) -> bool {
        self.view.entries().last().is_some_and(is_stop_note)
    }
}
