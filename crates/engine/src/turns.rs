//! The begin and the end of a turn.

use throughline_completion::StopReason;
use throughline_conversation::{Message, Source, continue_note};

use crate::engine_error::EngineError;
use crate::error::TurnError;
use crate::event::Event;
use crate::input;
use crate::operation::Operation;
use crate::rebuild_attempts::RebuildAttempts;
use crate::refusal::RefusedTurn;
use crate::state::EngineState;
use crate::steps::build_prompt;
use crate::sync::PieceKind;

impl Operation<'_> {
    /// Begins a turn with a message of the user. Requests, calls and summaries of an earlier turn that are still open are
    /// given up.
    ///
    /// # Errors
    /// [`TurnError::DoesNotFit`] if the message can never fit; it is refused before it is in the log. [`TurnError::EmptyMessage`] if it
    /// says nothing; then nothing is given up.
    pub async fn user(&mut self, message: Message) -> Result<(), TurnError> {
        let message = input::accepted(&message)?;
        let model = self.engine.model().origin();
        self.turn.sink.emit(Event::TurnStarted { model, text: message.text() });
        self.accept(message).await
    }

    /// Adds a message of the user to the turn that runs: behind the results of the calls, before the next request. Behind a turn that
    /// has ended it belongs to that one.
    ///
    /// # Errors
    /// [`OrderError`](crate::OrderError) if a request, calls or a summary are open; [`TurnError::DoesNotFit`] if the message
    /// can never fit, [`TurnError::EmptyMessage`] if it says nothing. It is not in the log then.
    pub async fn interject(&mut self, message: Message) -> Result<(), EngineError> {
        self.finish_own_calls().await;
        self.check_idle()?;
        let message = input::accepted(&message)?;
        let message = input::make_room(message, &mut self.step().compaction()).await?;
        let Operation { engine, turn } = self;
        let EngineState { session, window, .. } = &mut engine.state;
        session.append_message(turn, message, Source::User);
        input::finish_accepting(session, window, turn);
        engine.note_known(PieceKind::User);
        self.flush().await;
        Ok(())
    }

    /// Takes a cleaned message of the user into the log.
    pub(crate) async fn accept(&mut self, message: Message) -> Result<(), TurnError> {
        self.prepare_prompt(&message).await;
        let message = input::make_room(message, &mut self.step().compaction()).await?;
        let text = message.request_text();
        self.close_calls();
        let Operation { engine, turn } = self;
        engine.state.tools.begin_turn();
        engine.rebuilds = RebuildAttempts::of(&engine.state.model);
        let EngineState { session, window, .. } = &mut engine.state;
        input::begin_turn(session, turn, message);
        input::finish_accepting(session, window, turn);
        engine.note_known(PieceKind::User);
        let EngineState { session, tail, continuity, .. } = &mut engine.state;
        tail.ask(continuity.recall(session, turn, &text).await);
        session.flush(turn).await;
        Ok(())
    }

    /// Closes calls that were cut off, so that an interrupted turn can continue. Returns false if there is nothing to continue,
    /// because the last message is the model's.
    pub async fn resume_turn(&mut self) -> bool {
        self.close_calls();
        let Operation { engine, turn } = self;
        engine.state.tools.begin_turn();
        let session = &mut engine.state.session;
        session.flush(turn).await;
        if !session.view().violations().is_empty() {
            return false;
        }
        if session.was_stopped() {
            // Without a note a stopped model would ask what to do instead of continuing.
            session.append_message(turn, continue_note(), Source::Engine);
        }
        engine.rebuilds = RebuildAttempts::of(&engine.state.model);
        true
    }

    /// Tells the model that its turn was stopped here.
    pub fn note_stop(&mut self) {
        self.engine.state.session.note_stop(&self.turn);
    }

    /// Ends a turn: records how it failed, if it did, and writes what is pending. A turn that the provider refused is hidden
    /// from the model. Returns what is known about the refusal.
    pub async fn end_turn(
        &mut self,
        stop: Option<&StopReason>,
        failed: Option<&TurnError>,
    ) -> Option<RefusedTurn> {
        let Operation { engine, turn } = self;
        let EngineState { session, tail, continuity, .. } = &mut engine.state;
        continuity.record_end(session, turn, failed).await;
        tail.end_resume();
        // What a failed turn recorded must not wait for the next one.
        session.flush(turn).await;
        match stop {
            Some(StopReason::Refusal) => Some(self.hide_refused().await),
            _ => None,
        }
    }

    /// Builds the system prompt of a session that has none yet, so that the figures and the request that are shown before the
    /// first message have it. It is read again with that message, and stored with it.
    pub async fn prepare_system(&mut self) {
        if self.engine.state.prefix.system().is_empty() {
            build_prompt(&mut self.step()).await;
        }
    }

    /// Builds the system prompt of a session that has none yet, if the first message is longer than an answer may be: the prompt
    /// may decide whether it fits.
    async fn prepare_prompt(&mut self, message: &Message) {
        let engine = &*self.engine;
        let tokens = engine.state.window.meter().from_raw(engine.state.session.counter().message(message));
        if tokens > engine.state.window.reserved() {
            self.prepare_system().await;
        }
    }

    /// Writes pending records and saves a snapshot, so that the next start is fast.
    pub async fn close(&mut self) {
        let Operation { engine, turn } = self;
        let EngineState { session, continuity, .. } = &mut engine.state;
        continuity.checkpoint_when_due(session, true).await;
        session.flush(turn).await;
        if session.unwritten() == 0 && !session.view().entries().is_empty() {
            session.save_snapshot(turn).await;
        }
    }
}
