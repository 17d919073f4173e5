//! The begin and the end of the turns that a list of messages brings, for listeners.

use throughline_completion::StopReason;
use throughline_conversation::Message;

use super::PieceKind;
use super::pieces::Piece;
use crate::engine_error::EngineError;
use crate::event::{CANCELLED, Event};
use crate::operation::Operation;

impl Operation<'_> {
    /// Reports that a turn begins with this message of the user. One that is still open was given up.
    pub(super) fn report_listed_begin(&mut self, message: &Message) {
        if self.engine.in_listed_turn {
            self.report_turn_end(Some(CANCELLED), None);
        }
        let model = self.engine.model().origin();
        self.turn.sink.emit(Event::TurnStarted { model, text: message.text() });
        self.engine.in_listed_turn = true;
    }

    /// Reports that the turn has ended, if this message ends it or could not be taken.
    pub(super) fn report_listed_end(&mut self, piece: &Piece<'_>, taken: &Result<(), EngineError>) {
        if !self.engine.in_listed_turn {
            return;
        }
        match taken {
            Err(EngineError::Turn(error)) => self.report_turn_end(None, Some(error.kind())),
            Err(_) => {}
            Ok(()) => {
                let is_answer = piece.kind == PieceKind::Assistant;
                if is_answer && piece.message.tool_calls().next().is_none() {
                    self.report_turn_end(Some(StopReason::EndTurn.name()), None);
                }
            }
        }
    }

    /// Reports that a turn has ended.
    pub(crate) fn report_turn_end(&mut self, stop: Option<&str>, error: Option<&'static str>) {
        self.engine.in_listed_turn = false;
        self.turn.sink.emit(Event::TurnEnded { stop: stop.map(str::to_owned), error });
    }
}
