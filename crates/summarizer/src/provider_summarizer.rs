//! The summarizer that lets a provider compact, with the session's own summaries behind it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use serde_json::Value;
use throughline_compaction::{Prose, Spending, Summarizer, SummaryError, SummaryRequest};
use throughline_completion::{LanguageModel, ModelError, ProviderAnswer, ProviderSummary};
use throughline_conversation::{ContentBlock, ProviderCompaction, Purpose, SideOutcome, Thinking};
use throughline_text::error_chain;

use crate::by_provider::{AskedCompaction, ask_provider};
use crate::model_summarizer::ModelSummarizer;
use crate::settings::SummarizerSettings;

/// Asks a provider for its own compaction of the messages that leave.
///
/// - A summary that can be read replaces the model's, if it passes the same checks.
/// - An opaque item is stored next to a summary of [`ModelSummarizer`], never alone: another model, an export and a search
///   have that.
/// - Where the provider has no compaction, fails or gives something of no use, [`ModelSummarizer`] writes the summary. The
///   prose says why; a provider without a compaction is asked, and named, once.
#[derive(Debug)]
pub struct ProviderSummarizer {
    model: Arc<dyn LanguageModel>,
    own: ModelSummarizer,
    unsupported: AtomicBool,
}

impl ProviderSummarizer {
    /// Creates a summarizer that asks the provider of this model, and else the model.
    #[must_use]
    pub fn new(model: Arc<dyn LanguageModel>, settings: SummarizerSettings) -> Self {
        let own = ModelSummarizer::new(Arc::clone(&model), settings);
        Self { model, own, unsupported: AtomicBool::new(false) }
    }

    /// What the provider makes of the messages, checked, or why it is not used.
    async fn ask(
        &self,
        asked: &AskedCompaction,
        request: &SummaryRequest<'_>,
    ) -> Result<ProviderSummary, String> {
        let sent = self.own.side_request(Purpose::ProviderCompaction);
        let reported = request.spending.map(|spending| (spending, spending.asks(sent)));
        let answer = self.model.compact(&asked.request, &asked.instructions).await;
        if let Some((spending, number)) = reported {
            report(&answer, spending, number);
        }
        match answer {
            Ok(ProviderAnswer::Answered { made, .. }) => checked(made?, request),
            Ok(ProviderAnswer::Unsupported { cause, .. }) => {
                self.unsupported.store(true, Ordering::Relaxed);
                Err(cause)
            }
            Err(error) => Err(error_chain(&error)),
        }
    }

    fn contribution(&self, item: Option<Value>) -> Option<ProviderCompaction> {
        Some(ProviderCompaction { origin: self.own.info().origin(), item })
    }
}

/// Reports what a request has used, and how it ended.
fn report(answer: &Result<ProviderAnswer, ModelError>, spending: &Spending<'_>, number: usize) {
    let outcome = match answer {
        Ok(ProviderAnswer::Answered { usage, stop, identity, .. }) => {
            usage.iter().for_each(|usage| spending.used(number, *usage));
            SideOutcome::Answered { stop: stop.clone(), identity: identity.clone() }
        }
        Ok(ProviderAnswer::Unsupported { asked, .. }) => {
            spending.not_taken(number);
            if *asked { SideOutcome::Failed("unsupported") } else { SideOutcome::NotSent }
        }
        Err(error) => {
            // What broke off may have been paid.
            if !matches!(error, ModelError::Interrupted { .. } | ModelError::Silent { .. }) {
                spending.not_taken(number);
            }
            SideOutcome::Failed(error.kind())
        }
    };
    spending.ended(number, outcome);
}

/// A summary passes the checks of any summary. An opaque item cannot be read, but it must be smaller than what it replaces.
fn checked(made: ProviderSummary, request: &SummaryRequest<'_>) -> Result<ProviderSummary, String> {
    match &made {
        ProviderSummary::Text(text) => drop(request.check(text)?),
        ProviderSummary::Item(item) => {
            let tokens = request.counter.block(&ContentBlock::Thinking(Thinking::of_item(item)));
            if let Some(checks) = request.checks.filter(|checks| tokens >= checks.replaced) {
                return Err(format!("the item has {tokens} tokens, the messages have {}", checks.replaced));
            }
        }
    }
    Ok(made)
}

#[async_trait]
impl Summarizer for ProviderSummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let info = self.own.info();
        let supported = !self.unsupported.load(Ordering::Relaxed);
        let asked = if supported { ask_provider(request, &info, self.own.settings()) } else { None };
        let Some(asked) = asked else { return self.own.summarize(request).await };
        match self.ask(&asked, request).await {
            Ok(ProviderSummary::Text(text)) => {
                Ok(Prose { provider: self.contribution(None), ..Prose::by_model(text, info.name) })
            }
            Ok(ProviderSummary::Item(item)) => {
                let prose = self.own.summarize(request).await?;
                Ok(Prose { provider: self.contribution(Some(item)), ..prose })
            }
            Err(cause) => {
                let both = |error: SummaryError| {
                    let own = error_chain(&error);
                    SummaryError::Other(
                        format!("{own}; the provider's compaction failed before: {cause}").into(),
                    )
                };
                let prose = self.own.summarize(request).await.map_err(both)?;
                Ok(Prose { fell_back: Some(cause), ..prose })
            }
        }
    }
}

#[cfg(test)]
mod tests;
