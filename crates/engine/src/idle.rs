//! Before the prompt cache of a waiting session expires: compact now, keep the cache warm, or let it expire, by price.

use std::time::Duration;

use throughline_compaction::{
    CompactResult, Goal, ModelSummaries, WaitingSession, WaitingTerms, decide_waiting,
};
use throughline_conversation::{EditReason, PriceTerms};

use crate::compact_error::CompactError;
use crate::engine::ContextEngine;
use crate::frame::RequestFrame;
use crate::operation::Operation;
use crate::pricing;
use crate::request_prices::request_prices;
use crate::session::Session;
use crate::summary_offer::{cold_summary, price, summary_output};

impl ContextEngine {
    /// Time until the provider drops what it has in its prompt cache of this session, if nothing is sent; `None`: this run
    /// has sent nothing, or the cache has expired.
    #[must_use]
    pub fn cache_expires_in(&self) -> Option<Duration> {
        let idle = self.state.frame().idle_ms(&self.state.session)?;
        self.state.model.info.cache.idle_ms.checked_sub(idle).map(Duration::from_millis)
    }

    /// What is cheapest for the session while its user is away, and the expected price of each choice. `may_warm`: the cache
    /// may be kept warm once more. `None`: nothing is cached, or the policy does not decide by price.
    #[must_use]
    pub fn decide_idle(&self, may_warm: bool) -> Option<WaitingTerms> {
        let (session, window, frame) = (&self.state.session, &self.state.window, self.state.frame());
        let cached = frame.cached_prefix(session, window)?.cached;
        let size = self.state.size();
        let terms = pricing::decide(session, window, frame, &size)?;
        let waiting = WaitingSession {
            tokens: terms.request,
            cached,
            left: terms.left,
            summary_now: idle_summary(session, frame, &terms, cached),
            summary_later: cold_summary(session, frame, terms.request),
            may_warm,
        };
        Some(decide_waiting(request_prices(self.state.model.info.prices), &waiting))
    }
}

/// The price of the summary of a session that waits: no one is waiting for it, so that a model may write it.
fn idle_summary(session: &Session, frame: RequestFrame<'_>, terms: &PriceTerms, cached: u64) -> f64 {
    let is_asked = frame.model.summaries() == ModelSummaries::Always
        && !frame
            .model
            .prepared(session.ahead())
            .is_some_and(|prepared| prepared.fits(session.view().entries()));
    if is_asked { price(frame, terms.request, cached, summary_output(session, frame)) } else { terms.summary }
}

impl Operation<'_> {
    /// Compacts while the user is away, for the reason that [`decide_idle`](ContextEngine::decide_idle) found.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact_idle(&mut self) -> Result<CompactResult, CompactError> {
        let done = self.step().compaction().attempt(EditReason::Idle, Goal::Deep).await;
        match &done {
            Ok(_) => self.after_compaction().await,
            // The prompt stays, and with it the cache; what a failed summary has used is recorded.
            Err(_) => self.flush().await,
        }
        done
    }
}
