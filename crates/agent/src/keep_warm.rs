//! Keeping the prompt cache of a waiting session warm.

use throughline_completion::ModelError;
use throughline_conversation::Purpose;
use throughline_engine::{EventSink, SpendingError, TurnContext};
use throughline_prompt::KEEP_WARM;
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::side::ask_side;

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
        let request = self.parts.engine.side_request(KEEP_WARM.trim_end());
        if let Some(guard) = &self.parts.spending {
            guard.allow(&self.parts.engine.model().origin(), self.parts.engine.expected_read()).await?;
        }
        let breakpoints = request.breakpoints.clone();
        let (answer, used) = ask_side(&self.parts, &request, Purpose::KeepWarm, &turn).await;
        // From here on the transcript must have one owner again, or the next append copies all of it.
        drop(request);
        let mut operation = self.parts.engine.operation(sink, cancel);
        operation.record_lost(used);
        operation.flush().await;
        match answer {
            Some(Ok(_)) => {
                self.parts.engine.note_cache_read(&breakpoints);
                Ok(())
            }
            Some(Err(error)) => Err(error.into()),
            None => Err(KeepWarmError::Stopped),
        }
    }
}
