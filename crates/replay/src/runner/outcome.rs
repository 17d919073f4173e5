//! The outcome of a replay, as a report.

use throughline_agent::TurnError;
use throughline_text::error_chain;

use super::ReplayOptions;
use crate::model::ReplayMeasures;
use crate::readback::ReadBack;
use crate::report::{PriceReport, SessionReport};
use crate::session::RecordedSession;
use crate::watch::Seen;

/// What was observed of a replay.
pub(super) struct SessionRun {
    pub(super) failures: Vec<TurnError>,
    pub(super) epochs: u64,
    pub(super) seen: Seen,
    pub(super) found: ReadBack,
    pub(super) measured: ReplayMeasures,
}

impl SessionRun {
    pub(super) fn report(
        &self,
        session: &RecordedSession,
        options: &ReplayOptions,
        factor: f64,
    ) -> SessionReport {
        let ReplayMeasures { figures, components, .. } = &self.measured;
        let costs = &figures.costs;
        SessionReport {
            session: session.id.clone(),
            format: session.format,
            file: session.file.clone(),
            model: session.model.clone(),
            turns: session.turns.len() as u64,
            failed_turns: self.failures.len() as u64,
            first_failure: self.failures.first().map(|error| error_chain(error)),
            requests: costs.requests,
            timed_requests: if options.clock { session.timed_requests() as u64 } else { 0 },
            unrecorded_requests: self.measured.unrecorded,
            invalid_requests: self.measured.invalid,
            faults: self.measured.faults.clone(),
            over_window: self.measured.over_window,
            repaired: session.repairs.len() as u64,
            compactions: self.seen.compactions,
            epochs: self.epochs,
            offloads: self.seen.offloads,
            degradations: self.seen.degraded,
            tokens_cached: costs.read,
            tokens_written: costs.write,
            tokens_uncached: costs.uncached,
            prices: PriceReport::of(figures),
            mean_request_tokens: costs.mean(),
            peak_request_tokens: costs.peak,
            peak_full_tokens: figures.full.peak,
            system: components.spread(|part| part.system),
            skills: components.spread(|part| part.skills),
            tools: components.spread(|part| part.tools),
            conversation: components.spread(|part| part.conversation),
            recorded_compactions: session.recorded_compactions as u64,
            read_back_ok: self.found.ok,
            read_back_failed: self.found.failed,
            factor,
            overhead: options.overhead,
            window: options.window,
            policy: options.policy.clone(),
            estimator: options.estimator.clone(),
        }
    }
}
