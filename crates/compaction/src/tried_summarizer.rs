//! A summarizer that remembers how many of its last answers could not be used.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;

use crate::summarizer::{Prose, Summarizer, SummaryError, SummaryRequest};

/// Remembers how many answers of a summarizer could not be used in a row. A model that fails again and again costs requests and
/// minutes in which the user waits, and the summary by rule is then taken all the same.
#[derive(Debug)]
pub struct TriedSummarizer {
    inner: Arc<dyn Summarizer>,
    unusable: AtomicU32,
}

impl TriedSummarizer {
    /// Behind this many answers in a row that could not be used, it is not asked any more.
    pub const MOST_UNUSABLE: u32 = 3;

    /// A summarizer that was not asked yet.
    #[must_use]
    pub fn new(inner: Arc<dyn Summarizer>) -> Self {
        Self { inner, unusable: AtomicU32::new(0) }
    }

    /// Number of its last answers that could not be used.
    #[must_use]
    pub fn unusable(&self) -> u32 {
        self.unusable.load(Ordering::Relaxed)
    }

    /// Forgets the answers that could not be used: the user may have removed the cause.
    pub fn forgive(&self) {
        self.unusable.store(0, Ordering::Relaxed);
    }

    fn note(&self, is_usable: bool) {
        match is_usable {
            true => self.forgive(),
            false => drop(self.unusable.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

#[async_trait]
impl Summarizer for TriedSummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let prose = self.inner.summarize(request).await;
        match &prose {
            Ok(prose) => self.note(request.check(&prose.text).is_ok()),
            // A request that failed says nothing about the model.
            Err(SummaryError::Other(_)) => {}
            Err(_) => self.note(false),
        }
        prose
    }
}

#[cfg(test)]
mod tests;
