//! Answers that end a turn and are none: the model is asked once more.

use throughline_completion::StopReason;
use throughline_continuity::no_call_note;
use throughline_conversation::Source;

use super::Session;
use crate::event::Event;
use crate::turn_context::TurnContext;

impl Session {
    /// Returns true, once for each turn, if the answer is empty, or announces a call that did not come: another request may get an
    /// answer. `text` is the text of the answer, which made no call.
    pub(crate) fn asks_again(&mut self, turn: &TurnContext<'_>, stop: &StopReason, text: &str) -> bool {
        let is_empty = text.trim().is_empty();
        let why = match stop {
            StopReason::ToolUse => "the model announced a tool call and made none",
            StopReason::EndTurn | StopReason::StopSequence if is_empty => "the model gave an empty answer",
            _ => return false,
        };
        if self.second_try == Some(self.exchange) {
            return false;
        }
        self.second_try = Some(self.exchange);
        if !is_empty {
            // A request has to end with the user's side.
            self.append_message(turn, no_call_note(), Source::Engine);
        }
        self.record_decision("persist", "asked once more", why);
        turn.sink.emit(Event::Notice(format!("{why}; it is asked once more")));
        true
    }
}
