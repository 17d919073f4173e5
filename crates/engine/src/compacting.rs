//! Compactions: what the compactor proposes is stored, recorded and only then shown.

mod overflow;
mod swap;

use std::pin::pin;

use futures_util::future::{Either, select};
use throughline_budget::compact_line;
use throughline_compaction::{
    ClearedResult, CompactResult, Compacted, CompactionError, CompactionJob, Goal, Spending, TriedSummarizer,
};
use throughline_conversation::{Components, Degradation, EditReason, Millis, ModelUse};

use crate::calibration::ShownFigures;
use crate::compact_error::CompactError;
use crate::decision::is_blocked;
use crate::error::TurnError;
use crate::event::Event;
use crate::frame::{RequestFrame, components};
use crate::input;
use crate::session::Session;
use crate::side_events::SideEvents;
use crate::summary_choice::{asks_model, may_wait};
use crate::summary_due::waits;
use crate::turn_context::TurnContext;
use crate::window::{RequestSize, Window};

/// The owners that a compaction changes, and those that it reads.
pub(crate) struct Compaction<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) window: &'a mut Window,
    pub(crate) frame: RequestFrame<'a>,
    pub(crate) turn: &'a TurnContext<'a>,
}

impl Compaction<'_> {
    /// Measures the next request.
    pub(crate) fn size(&self) -> RequestSize {
        self.frame.size(self.session, self.window)
    }

    /// Logs that the compact threshold is reached and a compaction follows.
    pub(crate) fn announce(&mut self) {
        let Some(at) = self.window.limits().compact else { return };
        let is_resumed = self.frame.model.caller.as_ref().is_some_and(|caller| caller.is_resumed());
        if !self.frame.model.compactor.breaker_open() && !is_resumed {
            let line = compact_line(at, self.window.total());
            self.session.log_decision(self.turn, "compact", line, "the compact threshold is reached");
        }
    }

    /// Returns true if the session works on uncompacted until its summary is written: it still fits.
    pub(crate) fn waits_for_summary(&mut self) -> bool {
        waits(self.session, self.window, self.frame)
    }

    /// Compacts once. It can be stopped while a model writes the summary. On error, view and log are unchanged.
    pub(crate) async fn attempt(
        &mut self,
        reason: EditReason,
        goal: Goal,
    ) -> Result<CompactResult, CompactError> {
        self.run(reason, goal, None).await
    }

    /// Compacts once at the user's request. It resets the circuit breaker: the user may have removed the cause of the
    /// failures. The instructions are for the summary.
    pub(crate) async fn on_request(
        &mut self,
        instructions: Option<&str>,
    ) -> Result<CompactResult, CompactError> {
        self.run(EditReason::Manual, Goal::Requested, instructions).await
    }

    async fn run(
        &mut self,
        reason: EditReason,
        goal: Goal,
        instructions: Option<&str>,
    ) -> Result<CompactResult, CompactError> {
        let started = self.session.now();
        self.report_start(&reason);
        let made = match self.propose(reason.clone(), goal, instructions).await {
            Ok((compacted, used)) => self.apply(compacted, used, reason, goal, started).await,
            Err(error) => Err(error),
        };
        self.report_end(&made);
        made
    }

    /// Applies a compaction that was made before and shown to the user.
    pub(crate) async fn apply_shown(
        &mut self,
        compacted: Compacted,
        used: Vec<ModelUse>,
    ) -> Result<CompactResult, CompactError> {
        let started = self.session.now();
        self.report_start(&EditReason::Manual);
        let made = self.apply(compacted, used, EditReason::Manual, Goal::Requested, started).await;
        self.report_end(&made);
        made
    }

    /// How the screens show what a compaction does now.
    pub(crate) fn shown_figures(&self) -> ShownFigures {
        ShownFigures::of(self.session, self.window, self.frame)
    }

    fn report_start(&self, reason: &EditReason) {
        // What the price was decided for: a compaction before a request that still fits.
        let is_priced = matches!(reason, EditReason::Early | EditReason::CompactThreshold);
        let price = self.session.pending_price().cloned().filter(|_| is_priced);
        let used = self.components();
        self.turn.sink.emit(Event::CompactionStarted { reason: reason.clone(), used, price });
    }

    fn report_end(&self, made: &Result<CompactResult, CompactError>) {
        let error = made.as_ref().err().map(CompactError::kind);
        self.turn.sink.emit(Event::CompactionEnded { used: self.components(), error });
    }

    /// Tokens of the next request by component.
    fn components(&self) -> Components {
        self.size().budget.window_figures().used
    }

    /// Makes a compaction and changes nothing but the record of what the model was asked.
    pub(crate) async fn propose(
        &mut self,
        reason: EditReason,
        goal: Goal,
        instructions: Option<&str>,
    ) -> Result<(Compacted, Vec<ModelUse>), CompactError> {
        if reason == EditReason::Manual {
            self.frame.model.forgive();
        }
        let asked = asks_model(self.session, self.window, self.frame, &reason);
        self.make(reason, goal, instructions, asked).await
    }

    /// Makes a compaction as the user asks for one, with a summary by rule.
    pub(crate) async fn propose_by_rule(&mut self) -> Result<(Compacted, Vec<ModelUse>), CompactError> {
        self.make(EditReason::Manual, Goal::Requested, None, false).await
    }

    /// `asked`: a model writes the summary, also without instructions.
    async fn make(
        &mut self,
        reason: EditReason,
        goal: Goal,
        instructions: Option<&str>,
        asked: bool,
    ) -> Result<(Compacted, Vec<ModelUse>), CompactError> {
        let compactor = &self.frame.model.compactor;
        let by_rule = instructions.is_none() && !asked;
        if let Some(prepared) = self.frame.model.prepared(self.session.ahead()) {
            prepared.set_waiting(may_wait(&reason));
        }
        let observer = SideEvents::of(self.turn);
        let spending = Spending::observed(&observer);
        if compactor.policy().lists_session_names() {
            self.session.note_names();
        }
        let standing = compactor.policy().instructions.as_deref();
        let given: Vec<&str> = standing.into_iter().chain(instructions).collect();
        let instructions = (!given.is_empty()).then(|| given.join("\n"));
        let instructions = instructions.as_deref();
        let job =
            CompactionJob { instructions, by_rule, spending: Some(&spending), ..self.job(goal, reason) };
        let compacted = {
            let (stopped, compacted) = (pin!(self.turn.cancel.cancelled()), pin!(compactor.compact(&job)));
            match select(stopped, compacted).await {
                Either::Left(((), _)) => Err(CompactError::Stopped),
                Either::Right((compacted, _)) => compacted.map_err(CompactError::from),
            }
        };
        let mut used = spending.sums();
        drop(observer);
        self.session.note_summaries(&used);
        // A compaction that failed may have asked a model, too.
        used.iter().for_each(|used| self.session.record_usage(self.turn, used.clone()));
        if self.frame.model.caller.as_ref().is_some_and(|caller| caller.is_open()) {
            return Err(CompactError::SummaryWanted);
        }
        let mut compacted = compacted?;
        if goal == Goal::Requested {
            compacted = weighed(compacted, self.session, self.window, self.frame)?;
        }
        if by_rule && self.frame.model.gives_up_summaries() && !compacted.edit.authors().is_empty() {
            compacted.degraded.push(Degradation {
                subsystem: "summarizer".to_owned(),
                fallback: "a summary by rule".to_owned(),
                cause: format!(
                    "the last {} answers of its model could not be used",
                    TriedSummarizer::MOST_UNUSABLE
                ),
            });
        }
        if asked && let Some(prepared) = self.frame.model.prepared(self.session.ahead()) {
            // They are recorded already; the receipt has them, too.
            used.extend(prepared.take_used());
        }
        Ok((compacted, used))
    }

    /// Stores what leaves with a compaction that was made, records it and shows its view.
    async fn apply(
        &mut self,
        compacted: Compacted,
        used: Vec<ModelUse>,
        reason: EditReason,
        goal: Goal,
        started: Millis,
    ) -> Result<CompactResult, CompactError> {
        self.store(&compacted.keep, matches!(goal, Goal::MustFit(_))).await?;
        let blocked_ms = self.session.now().0.saturating_sub(started.0).max(0).unsigned_abs();
        Ok(self.swap(compacted, reason, used, blocked_ms).await)
    }

    fn job(&self, goal: Goal, reason: EditReason) -> CompactionJob<'_> {
        job(self.session, self.window, self.frame, goal, reason)
    }

    /// Compacts until the next request is below the block level: first as deep as the policy goes, then as deep as
    /// necessary.
    pub(crate) async fn force(&mut self, reason: EditReason) -> Result<(), TurnError> {
        let deep = self.attempt(reason.clone(), Goal::Deep).await;
        match deep {
            Ok(_) if !is_blocked(&self.size(), self.window.limits()) => return Ok(()),
            Err(CompactError::SummaryWanted) => return Err(CompactError::SummaryWanted.into()),
            _ => {}
        }
        let components = components(self.session, self.frame.prefix, self.frame.tools);
        let allowed = self.window.largest_conversation(components);
        let error = match self.attempt(reason, Goal::MustFit(allowed)).await {
            // An error may mean that there is nothing to gain because the view already fits.
            _ if !is_blocked(&self.size(), self.window.limits()) => return Ok(()),
            Ok(_) => None,
            Err(error @ CompactError::SummaryWanted) => return Err(error.into()),
            Err(error) => Some(error),
        };
        if self.fits_without_report() {
            return Ok(());
        }
        if matches!(error, Some(CompactError::Stopped)) {
            return Err(CompactError::Stopped.into());
        }
        if input::show_in_part(self).await && !is_blocked(&self.size(), self.window.limits()) {
            return Ok(());
        }
        let tokens = self.session.view().tokens();
        let (smallest, what) = match error {
            Some(CompactError::Compaction(CompactionError::DoesNotFit { smallest, what, .. })) => {
                (smallest, what)
            }
            Some(CompactError::Compaction(CompactionError::NothingToGain { .. })) | None => {
                (tokens, FIXED_PARTS.to_owned())
            }
            Some(other) => (tokens, other.to_string()),
        };
        Err(self.does_not_fit(smallest, what))
    }

    /// Measures a request that cannot shrink without the provider's last report, which may be wrong. Returns true if it
    /// fits then.
    fn fits_without_report(&mut self) -> bool {
        self.window.drop_anchor();
        let fits = !is_blocked(&self.size(), self.window.limits());
        if fits {
            let why = "with the provider's last report the request would not fit the window";
            self.session.record_decision("force_compact", "measured without the last report", why);
        }
        fits
    }

    /// The error for content that may not be cut. `smallest` is in raw tokens.
    pub(crate) fn does_not_fit(&self, smallest: u64, what: String) -> TurnError {
        let fixed = components(self.session, self.frame.prefix, self.frame.tools).fixed();
        self.window.does_not_fit(fixed, smallest, what)
    }

    /// Stores what stubs will refer to, before they are shown.
    async fn store(&mut self, cleared: &[ClearedResult], must_fit: bool) -> Result<(), CompactError> {
        let at = self.session.now();
        for result in cleared {
            let stored = self.frame.tools.results().keep(&result.tool, &result.bytes, at).await;
            let Err(error) = stored else { continue };
            if !must_fit {
                return Err(error.into());
            }
            // The request has to fit, and the log still has the text.
            let fallback = "what was cleared can be read from the exported session only";
            self.session.degrade(self.turn, "result store", fallback, &error);
            return Ok(());
        }
        Ok(())
    }
}

/// A compaction that is asked for, if the request becomes smaller by it: the tools are selected again with it, and those that were
/// found are described then.
///
/// # Errors
/// [`CompactionError::NothingToGain`].
pub(crate) fn weighed(
    compacted: Compacted,
    session: &Session,
    window: &Window,
    frame: RequestFrame<'_>,
) -> Result<Compacted, CompactionError> {
    let CompactResult { before_tokens: before, after_tokens, .. } = compacted.result;
    let after = after_tokens.saturating_add(frame.tools.growth(session, window));
    if after < before { Ok(compacted) } else { Err(CompactionError::NothingToGain { before, after }) }
}

/// What takes the room when the conversation is as small as it can be.
pub(crate) const FIXED_PARTS: &str = "system prompt and tools take the room";

/// The compaction of the current view, for the compactor.
pub(crate) fn job<'a>(
    session: &'a Session,
    window: &Window,
    frame: RequestFrame<'a>,
    goal: Goal,
    reason: EditReason,
) -> CompactionJob<'a> {
    let fixed = components(session, frame.prefix, frame.tools).fixed();
    CompactionJob {
        session: session.id(),
        view: session.view(),
        counter: session.counter(),
        room: window.meter().to_raw(window.limits().effective_window).saturating_sub(fixed),
        fixed,
        compact_at: window.limits().compact.map(|tokens| window.meter().to_raw(tokens)),
        goal,
        reason,
        prefix: frame.cached_prefix(session, window),
        instructions: None,
        names: frame.model.compactor.policy().lists_session_names().then_some(session.names()),
        spending: None,
        by_rule: false,
    }
}
