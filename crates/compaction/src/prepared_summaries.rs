//! A summarizer that has its summaries before they are asked for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{Entry, ModelUse};

use crate::summarizer::{Prose, Summarizer, SummaryError, SummaryRequest};
use crate::summary_job::WrittenSummary;

/// Answers with summaries that were written while the session worked, and asks the summarizer behind it for others.
#[derive(Debug)]
pub struct PreparedSummaries {
    inner: Arc<dyn Summarizer>,
    state: Mutex<PreparedState>,
    /// For other messages it has no summary, and asks for none.
    alone: AtomicBool,
}

#[derive(Debug, Default)]
struct PreparedState {
    written: Vec<WrittenSummary>,
    /// What the requests for them have used, until a compaction has taken it.
    used: Vec<ModelUse>,
    /// One of them was the answer to a request.
    is_used: bool,
}

impl PreparedSummaries {
    /// Without any summary yet.
    #[must_use]
    pub fn new(inner: Arc<dyn Summarizer>) -> Self {
        Self { inner, state: Mutex::default(), alone: AtomicBool::new(false) }
    }

    /// The summarizer that writes them.
    #[must_use]
    pub fn inner(&self) -> Arc<dyn Summarizer> {
        Arc::clone(&self.inner)
    }

    /// Sets that the compactions that follow wait for the summarizer where no summary is ready, or that they do not. They do at first.
    pub fn set_waiting(&self, waits: bool) {
        self.alone.store(!waits, Ordering::Relaxed);
    }

    /// Takes what was written, in place of what it has. Returns what that has used, as [`clear`](Self::clear) does.
    pub fn put(&self, written: Vec<WrittenSummary>, used: Vec<ModelUse>) -> Vec<ModelUse> {
        let unused = self.clear();
        *self.state() = PreparedState { written, used, is_used: false };
        unused
    }

    /// Returns true if it has summaries of messages that are unchanged in the view, and of most of it.
    #[must_use]
    pub fn fits(&self, view: &[Entry]) -> bool {
        self.state().written.iter().any(|written| written.fits(view))
    }

    /// What the requests for the summaries have used, if one of them was an answer since they were put; once.
    #[must_use]
    pub fn take_used(&self) -> Vec<ModelUse> {
        let mut state = self.state();
        if state.is_used { std::mem::take(&mut state.used) } else { Vec::new() }
    }

    /// Forgets the summaries. Returns what those have used that were no answer.
    pub fn clear(&self) -> Vec<ModelUse> {
        let state = std::mem::take(&mut *self.state());
        if state.is_used { Vec::new() } else { state.used }
    }

    /// Recovers a poisoned lock: no panic can leave a summary half written.
    fn state(&self) -> MutexGuard<'_, PreparedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Summarizer for PreparedSummaries {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let ready = {
            let mut state = self.state();
            let found = state.written.iter().find_map(|written| written.extended(request));
            state.is_used |= found.is_some();
            found
        };
        match ready {
            Some(prose) => Ok(prose),
            None if self.alone.load(Ordering::Relaxed) => Err(SummaryError::NotReady),
            None => self.inner.summarize(request).await,
        }
    }
}

#[cfg(test)]
mod tests;
