//! Before the prompt cache of a waiting session expires: compact now, keep the cache warm, or let it expire, by price.

use std::time::Duration;

use throughline_compaction::{CompactResult, Goal, WaitingSession, WaitingTerms, decide_waiting};
use throughline_completion::ModelError;
use throughline_conversation::{EditReason, Purpose, Usage};
use throughline_prompt::KEEP_WARM;
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::compact_error::CompactError;
use crate::event::EventSink;
use crate::pricing;
use crate::request_prices::request_prices;
use crate::side_request::{ask, side_request};
use crate::spending::SpendingError;
use crate::steps::predict;
use crate::turn_context::TurnContext;

/// Why the prompt cache was not read.
#[derive(Debug, thiserror::Error)]
pub enum KeepWarmError {
    /// The request failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A limit on spending refuses it.
    #[error(transparent)]
    Spending(#[from] SpendingError),
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
}

impl Agent {
    /// Time until the provider drops what it has in its prompt cache of this session, if nothing is sent; `None`: this run
    /// has sent nothing, or the cache has expired.
    #[must_use]
    pub fn cache_expires_in(&self) -> Option<Duration> {
        let idle = self.frame().idle_ms(&self.session)?;
        self.model.info.cache.idle_ms.checked_sub(idle).map(Duration::from_millis)
    }

    /// What is cheapest for the session while its user is away, and the expected price of each choice. `may_warm`: the cache
    /// may be kept warm once more. `None`: nothing is cached, or the policy does not decide by price.
    #[must_use]
    pub fn decide_idle(&self, may_warm: bool) -> Option<WaitingTerms> {
        let (session, window, frame) = (&self.session, &self.window, self.frame());
        let cached = frame.cached_prefix(session, window)?.cached;
        let size = self.size();
        let terms = pricing::decide(session, window, frame, &size)?;
        let waiting = WaitingSession {
            tokens: terms.request,
            cached,
            left: terms.left,
            summary_now: terms.summary,
            summary_later: pricing::summary(frame, terms.request, 0),
            may_warm,
        };
        Some(decide_waiting(request_prices(self.model.info.prices), &waiting))
    }

    /// Compacts while the user is away, for the reason that [`decide_idle`](Self::decide_idle) found.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact_idle(
        &mut self,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<CompactResult, CompactError> {
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        let done = self.compaction(&turn).attempt(EditReason::Idle, Goal::Deep).await;
        match &done {
            Ok(_) => self.after_compaction(&turn).await,
            // The prompt stays, and with it the cache; what a failed summary has used is recorded.
            Err(_) => self.session.flush(&turn).await,
        }
        done
    }

    /// Sends a minimal request that reads the prompt cache, so that it lives for another span. Its answer is discarded; what
    /// it has used is recorded.
    ///
    /// # Errors
    /// [`KeepWarmError`]; then the cache expires as if nothing had been sent.
    pub async fn keep_warm(
        &mut self,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<(), KeepWarmError> {
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        let request = side_request(&self.session, self.frame(), KEEP_WARM.trim_end());
        let cached =
            self.frame().cached_prefix(&self.session, &self.window).map_or(0, |prefix| prefix.cached);
        if let Some(guard) = &self.session.spending {
            let expected = Usage { cache_read: cached, ..Usage::default() };
            guard.allow(&self.model.origin(), expected).await?;
        }
        let breakpoints = request.breakpoints.clone();
        let (answer, used) = ask(self.frame(), &request, Purpose::KeepWarm, &turn).await;
        // From here on the transcript must have one owner again, or the next append copies all of it.
        drop(request);
        self.session.record_usage(&turn, used);
        self.session.flush(&turn).await;
        match answer {
            Some(Ok(_)) => {
                // The prefix is used now: the next request is predicted by that.
                let Self { session, window, prefix, tools, model, .. } = self;
                predict(session, window, prefix, tools, model, 0, &breakpoints);
                Ok(())
            }
            Some(Err(error)) => Err(error.into()),
            None => Err(KeepWarmError::Stopped),
        }
    }
}
