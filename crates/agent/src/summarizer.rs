//! A summarizer that asks a model.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use throughline_compaction::{Summarizer, SummaryError, SummaryRequest};
use throughline_completion::{Assembly, CompletionRequest, LanguageModel, StopReason};
use throughline_conversation::{Message, Transcript};

/// Asks a model for the prose of a summary: one request, no tools, no second try.
#[derive(Debug)]
pub struct ModelSummarizer {
    model: Arc<dyn LanguageModel>,
}

impl ModelSummarizer {
    /// A summarizer that asks this model.
    #[must_use]
    pub fn new(model: Arc<dyn LanguageModel>) -> Self {
        Self { model }
    }

    /// Bytes of messages that the request may show: two for each token of the window that is left, so that
    /// also dense text does not overflow the very request that is to make room.
    fn room(&self, request: &SummaryRequest<'_>) -> usize {
        const BYTES_PER_TOKEN: u64 = 2;
        let info = self.model.info();
        let prompt = request.counter.text(request.prompt);
        let used = request.budget.saturating_mul(2).saturating_add(prompt);
        let tokens = info.window.saturating_sub(used).saturating_mul(4) / 5;
        usize::try_from(tokens.saturating_mul(BYTES_PER_TOKEN)).unwrap_or(usize::MAX)
    }
}

#[async_trait]
impl Summarizer for ModelSummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<String, SummaryError> {
        let text = format!("{}\n\n{}", request.prompt, request.text(self.room(request)));
        let asked = CompletionRequest {
            model: self.model.info().name,
            session: None,
            tools: Arc::from(Vec::new()),
            system: Arc::from(Vec::new()),
            transcript: Transcript::from_messages([Message::user(text)]),
            tail: Vec::new(),
            breakpoints: Vec::new(),
            max_output_tokens: request.budget.saturating_mul(2).min(self.model.info().max_output).max(1),
        };
        let failed = |error| SummaryError::Other(Box::new(error));
        let mut stream = self.model.stream(&asked).await.map_err(failed)?;
        let mut assembly = Assembly::default();
        while let Some(event) = stream.next().await {
            assembly.push(event.map_err(failed)?);
        }
        let (message, stop, _) = assembly.finish().map_err(failed)?;
        if stop == StopReason::Refusal {
            return Err(SummaryError::Refused(message.text()));
        }
        Ok(message.text())
    }
}
