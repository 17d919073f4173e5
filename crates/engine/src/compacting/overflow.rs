//! Compactions after the provider rejected a request as too large.

use throughline_compaction::{CompactionError, Goal};
use throughline_completion::{ModelError, SMALLEST_WINDOW};
use throughline_conversation::EditReason;

use super::Compaction;
use crate::compact_error::CompactError;
use crate::error::TurnError;
use crate::event::{Event, LearnedLimit};
use crate::input;

impl Compaction<'_> {
    /// After an overflow error: learns what it tells about the window, then compacts. `raw` are the counter's tokens of
    /// the rejected request.
    pub(crate) async fn after_overflow(
        &mut self,
        raw: u64,
        message: &str,
        limit: Option<u64>,
        tokens: Option<u64>,
    ) -> Result<(), TurnError> {
        self.session.record_decision("stream_response", "compacted after an overflow error", message);
        let learnt = self.learn_limit(limit);
        match tokens {
            Some(tokens) => self.window.calibrate(raw, tokens),
            None if !learnt => self.window.learn_overflow(raw),
            None => {}
        }
        let error = match self.shrink().await {
            Ok(()) => return Ok(()),
            Err(CompactError::Stopped) => return Err(CompactError::Stopped.into()),
            Err(_) if input::show_in_part(self).await => return Ok(()),
            Err(error) => error,
        };
        let message = format!("{message} (and {error})");
        Err(TurnError::Model(ModelError::Overflow { message, limit, tokens }))
    }

    /// Uses the limit of an overflow error as the window. Returns false if it says nothing: a limit that
    /// is too small was parsed out of another number.
    fn learn_limit(&mut self, limit: Option<u64>) -> bool {
        let model = self.frame.model;
        let Some(limit) = limit.filter(|limit| (SMALLEST_WINDOW..self.window.total()).contains(limit)) else {
            return false;
        };
        if self.window.learn(limit, &model.info, &model.settings).is_err() {
            return false;
        }
        self.session.record_model(self.window, model);
        let what = format!("window is {limit} tokens from now on");
        self.session.record_decision("stream_response", what, "reported by the provider");
        if !self.window.is_guessing() {
            // A guess is confirmed by the next answer.
            self.turn.sink.emit(model.learned(LearnedLimit::Window(limit)));
        }
        true
    }

    /// After an error that names the most tokens of an answer: asks for no more from here on. Returns false if no fewer were
    /// asked for, so that the same request would be rejected again.
    pub(crate) fn learn_max_output(&mut self, limit: Option<u64>) -> bool {
        let model = self.frame.model;
        let Some(limit) = limit.filter(|limit| (1..self.window.reserved()).contains(limit)) else {
            return false;
        };
        if self.window.reserve(limit, &model.settings).is_err() {
            return false;
        }
        let what = format!("answers have at most {limit} tokens from now on");
        self.session.record_decision("stream_response", what, "reported by the provider");
        self.turn.sink.emit(model.learned(LearnedLimit::MaxOutput(limit)));
        true
    }

    /// A guessed overflow was not one: nothing that it taught stays.
    pub(crate) fn withdraw_guess(&mut self) {
        let learnt = self.window.learnt().len();
        self.window.withdraw_guess();
        if self.window.learnt().len() != learnt {
            self.session.record_model(self.window, self.frame.model);
        }
        let what = format!("no overflow after all: the window is {} tokens", self.window.total());
        self.session.record_decision("stream_response", what.clone(), "a compaction did not help");
        self.turn.sink.emit(Event::Notice(what));
    }

    /// After the provider rejected a request for its size in bytes, when no picture can be left out. That tells nothing
    /// about tokens, so nothing is learned.
    pub(crate) async fn after_too_large(&mut self, message: &str) -> Result<(), TurnError> {
        let what = "compacted after a request of too many bytes";
        self.session.record_decision("stream_response", what, message);
        self.shrink().await.map_err(|error| match error {
            CompactError::Stopped => error.into(),
            error => TurnError::Model(ModelError::TooLarge { message: format!("{message} (and {error})") }),
        })
    }

    /// Compacts a view that the provider rejected. Something has to go, or the same request would be rejected again; how
    /// much is unknown, so it shrinks to the policy's share, or as far as it can.
    async fn shrink(&mut self) -> Result<(), CompactError> {
        if self.attempt(EditReason::Overflow, Goal::Deep).await.is_ok() {
            return Ok(());
        }
        let settings = &self.frame.model.settings;
        let tokens = self.session.view().tokens();
        let share = |share: f64| (tokens as f64 * share) as u64;
        let target = share(settings.recovery.overflow_target);
        let gained = tokens.saturating_sub(share(settings.compaction.minimum_gain));
        match self.attempt(EditReason::Overflow, Goal::MustFit(target)).await {
            Err(CompactError::Compaction(CompactionError::DoesNotFit { smallest, .. }))
                if smallest <= gained =>
            {
                self.attempt(EditReason::Overflow, Goal::MustFit(smallest)).await.map(drop)
            }
            tried => tried.map(drop),
        }
    }
}
