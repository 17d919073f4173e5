//! A model that gives the answers of a recording.

mod baseline;
mod measured;

use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use throughline_agent::Clock;
use throughline_completion::{
    CompletionEvent, CompletionRequest, CountedFront, EventStream, LanguageModel, ModelError, ModelInfo,
    PrefixCache, PrefixUse, StopReason,
};
use throughline_conversation::{ContentBlock, Message, TokenCounter, Usage};
use throughline_ledger::Shown;

pub(crate) use self::baseline::FullHistory;
use self::measured::raw_components;
pub(crate) use self::measured::scaled_use;
pub use self::measured::{ReplayMeasures, scaled};
use crate::bill::{BilledRequest, SummaryUse};
use crate::clock::ReplayClock;
use crate::recall::{Recall, SessionNeeds};
use crate::session::RecordedSession;

/// Validates requests as a provider would.
///
/// # Contract
/// MUST be total: any request can be checked. MUST return nothing for a request that the provider accepts, and one
/// line for each fault otherwise.
///
/// # When it fails
/// It does not.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
pub trait WireCheck: Debug + Send + Sync {
    /// Returns the faults of a request in the provider's words; empty for a valid one.
    fn check(&self, request: &CompletionRequest) -> Vec<String>;
}

const _: Option<&dyn WireCheck> = None;

/// Returns the recorded answers one after the other, and measures the requests for them.
///
/// It is as strict about length as a provider: a request over the window is rejected as an overflow, and the answer
/// waits for the next request. An invalid request is counted and answered nevertheless, so that one fault does not
/// hide the next.
#[derive(Debug)]
pub struct RecordedModel {
    session: Arc<RecordedSession>,
    info: ModelInfo,
    counter: Arc<dyn TokenCounter>,
    factor: f64,
    check: Option<Arc<dyn WireCheck>>,
    clock: Arc<ReplayClock>,
    state: Mutex<ReplayState>,
}

#[derive(Debug)]
struct ReplayState {
    turn: usize,
    step: usize,
    cache: PrefixCache,
    baseline: FullHistory,
    recall: Arc<Recall>,
    /// Requests for summaries since the last answer.
    summary: Option<SummaryUse>,
    measured: ReplayMeasures,
}

impl RecordedModel {
    /// Creates a model with this window that answers as in `session`, for requests counted by `counter`.
    ///
    /// `factor` is the number of a provider's tokens per token of the counter ([`crate::learn_factor`]).
    #[must_use]
    pub fn new(
        session: Arc<RecordedSession>,
        info: ModelInfo,
        counter: Arc<dyn TokenCounter>,
        factor: f64,
    ) -> Self {
        let needs = SessionNeeds::of(&session);
        Self::needing(session, needs, info, counter, factor)
    }

    /// The same, where it is known what the answers use.
    #[must_use]
    pub fn needing(
        session: Arc<RecordedSession>,
        needs: SessionNeeds,
        info: ModelInfo,
        counter: Arc<dyn TokenCounter>,
        factor: f64,
    ) -> Self {
        let state = ReplayState {
            turn: 0,
            step: 0,
            cache: PrefixCache::default(),
            baseline: FullHistory::of(&session, counter.as_ref()),
            recall: needs.0,
            summary: None,
            measured: ReplayMeasures::default(),
        };
        Self {
            session,
            info,
            counter,
            factor,
            check: None,
            clock: Arc::new(ReplayClock::new(false)),
            state: Mutex::new(state),
        }
    }

    /// Checks each request by a provider's rules.
    #[must_use]
    pub fn checked_by(mut self, check: Arc<dyn WireCheck>) -> Self {
        self.check = Some(check);
        self
    }

    /// Takes the times of requests from this clock, and moves it to the recorded times of answers.
    #[must_use]
    pub fn timed_by(mut self, clock: Arc<ReplayClock>) -> Self {
        self.clock = clock;
        self
    }

    /// Moves to the first answer of a turn, counted from 0.
    pub fn begin_turn(&self, turn: usize) {
        let mut state = self.state();
        state.turn = turn;
        state.step = 0;
    }

    /// The number of calls in the last answer of an interrupted turn, once that answer has been given. When they are
    /// done, the user interrupted.
    #[must_use]
    pub fn last_calls_of_cut_off_turn(&self) -> Option<usize> {
        let state = self.state();
        let turn = self.session.turns.get(state.turn)?;
        let last = turn.steps.last().filter(|_| turn.is_cut_off() && state.step >= turn.steps.len())?;
        Some(last.assistant.tool_calls().count())
    }

    /// The measures so far.
    #[must_use]
    pub fn measured(&self) -> ReplayMeasures {
        self.state().measured.clone()
    }

    /// Ignores poisoning: the measures have no invariant that a panic could break.
    fn state(&self) -> MutexGuard<'_, ReplayState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Measures a request for a summary of this many tokens, and returns what a provider would report. It is a part of the bill
    /// of the next answer.
    ///
    /// # Errors
    /// [`ModelError::Overflow`] if the window cannot hold it.
    pub(crate) fn bill_summary(&self, request: &CompletionRequest, output: u64) -> Result<Usage, ModelError> {
        let mut state = self.state();
        let split = state.cache.predict(request, self.counter.as_ref());
        // Only the session's own request is worth a place in the cache.
        let split = match request.session {
            Some(_) => split,
            None => PrefixUse { read: 0, write: 0, uncached: split.total() },
        };
        let warm = scaled_use(split, self.factor);
        let limit = self.info.window.saturating_sub(request.max_output_tokens);
        if warm.total() > limit {
            return Err(self.overflow(warm.total(), limit));
        }
        let output = scaled(output, self.factor);
        let asked = SummaryUse { warm, output };
        state.summary = Some(state.summary.map_or(asked, |earlier| earlier.with(asked)));
        let is_cold =
            state.cache.idle_at(self.clock.now()).is_some_and(|idle| self.info.cache.is_cold_after(idle));
        Ok(if is_cold { warm.cold() } else { warm }.usage(output))
    }

    fn overflow(&self, total: u64, limit: u64) -> ModelError {
        let message = format!("prompt is too long: {total} tokens > {limit} maximum");
        ModelError::Overflow { message, limit: Some(self.info.window), tokens: None }
    }

    fn faults(&self, request: &CompletionRequest) -> Vec<String> {
        let mut faults: Vec<String> = request.faults().iter().map(ToString::to_string).collect();
        faults.extend(self.check.iter().flat_map(|check| check.check(request)));
        faults
    }

    /// Measures a request and gives the answer, with what a provider would report.
    fn answer(&self, request: &CompletionRequest) -> Result<(Message, Usage), ModelError> {
        let mut guard = self.state();
        let state = &mut *guard;
        state.measured.judge(&self.faults(request));
        let front = CountedFront::of(request, state.cache.front(), self.counter.as_ref());
        let parts = raw_components(request, &front, self.counter.as_ref());
        let total = scaled(parts.total(), self.factor);
        let limit = self.info.window.saturating_sub(request.max_output_tokens);
        if total > limit {
            state.measured.over_window += 1;
            return Err(self.overflow(total, limit));
        }
        let idle = state.cache.idle_until(self.clock.now());
        let warm = scaled_use(state.cache.observe(request, self.counter.as_ref()), self.factor);
        // Reports as a provider with the rules of the model.
        let split = if self.info.cache.is_cold_after(idle) { warm.cold() } else { warm };
        let steps = self.session.turns.get(state.turn).map_or(&[][..], |turn| turn.steps.as_slice());
        let answer = match steps.get(state.step) {
            Some(step) => {
                let full = state.baseline.request(state.turn, state.step, parts.fixed());
                let full = scaled_use(full, self.factor);
                let looked = state.recall.look(state.turn, state.step, || shown(request));
                let summary = state.summary.take();
                let request =
                    BilledRequest { warm, full, idle_ms: idle, summary, ..BilledRequest::default() };
                state.measured.count(&request, parts, &looked, self.factor);
                self.clock.advance_to(step.answered_at);
                step.assistant.clone()
            }
            // The engine asked once more than the recorded agent did.
            None => {
                state.measured.unrecorded += 1;
                Message::assistant("[the recording has no further answer in this turn]")
            }
        };
        state.step += 1;
        let output = scaled(self.counter.message(&answer), self.factor);
        Ok((answer, split.usage(output)))
    }
}

/// Every text of a request.
fn shown(request: &CompletionRequest) -> Shown<'_> {
    let notes = request.tail.iter().map(String::as_str);
    let system = request.system.iter().map(|section| section.text.as_str());
    Shown::of(request.transcript.messages(), notes.chain(system))
}

#[async_trait]
impl LanguageModel for RecordedModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let (answer, usage) = self.answer(request)?;
        let calls = answer.tool_calls().next().is_some();
        let stop = if calls { StopReason::ToolUse } else { StopReason::EndTurn };
        let blocks = answer.content.into_iter().map(|block: ContentBlock| CompletionEvent::Block(block));
        let end = [CompletionEvent::Usage(usage), CompletionEvent::Finished(stop)];
        let events: Vec<_> = blocks.chain(end).map(Ok).collect();
        Ok(stream::iter(events).boxed())
    }
}

#[cfg(test)]
mod tests;
