//! A summarizer that remembers if its last answer could be used.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;

use crate::summarizer::{Prose, Summarizer, SummaryError, SummaryRequest};

/// Remembers if the last answer of a summarizer could be used. A small model that failed once fails again, after minutes in
/// which the user waits, and the summary by rule is then taken all the same.
#[derive(Debug)]
pub struct TriedSummarizer {
    inner: Arc<dyn Summarizer>,
    is_rejected: AtomicBool,
}

impl TriedSummarizer {
    /// A summarizer that was not asked yet.
    #[must_use]
    pub fn new(inner: Arc<dyn Summarizer>) -> Self {
        Self { inner, is_rejected: AtomicBool::new(false) }
    }

    /// Returns true if the last answer could not be used.
    #[must_use]
    pub fn is_rejected(&self) -> bool {
        self.is_rejected.load(Ordering::Relaxed)
    }

    /// Forgets that the last answer could not be used: the user may have removed the cause.
    pub fn forgive(&self) {
        self.is_rejected.store(false, Ordering::Relaxed);
    }
}

#[async_trait]
impl Summarizer for TriedSummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let prose = self.inner.summarize(request).await;
        match &prose {
            Ok(prose) => self.is_rejected.store(request.check(&prose.text).is_err(), Ordering::Relaxed),
            // A request that failed says nothing about the model.
            Err(SummaryError::Other(_)) => {}
            Err(_) => self.is_rejected.store(true, Ordering::Relaxed),
        }
        prose
    }
}

#[cfg(test)]
mod tests;
