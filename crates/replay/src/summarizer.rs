//! Summaries of a replay: asked for and paid like those of a live session, and written by rule.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use throughline_compaction::{ExtractiveSummarizer, Prose, Summarizer, SummaryError, SummaryRequest};
use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, StopReason,
};
use throughline_conversation::ContentBlock;
use throughline_summarizer::{ModelSummarizer, SummarizerSettings};

use crate::model::RecordedModel;

/// Sends the requests for summaries that a live session sends, so that a replay has their price. No recorded model can answer
/// them, so the text of the answer is the summary by rule, under the headings that were asked for.
#[derive(Debug)]
pub(crate) struct ReplaySummarizer {
    asked: Arc<SummaryModel>,
    summarizer: ModelSummarizer,
}

impl ReplaySummarizer {
    /// Summaries of the session of this model.
    pub(crate) fn new(model: Arc<RecordedModel>) -> Self {
        let asked = Arc::new(SummaryModel { model, answer: Mutex::default() });
        let summarizer =
            ModelSummarizer::new(Arc::clone(&asked) as Arc<dyn LanguageModel>, SummarizerSettings::default());
        Self { asked, summarizer }
    }
}

#[async_trait]
impl Summarizer for ReplaySummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let headings = request.checks.map_or(&[][..], |checks| checks.template.headings);
        let headings: String = headings.iter().map(|heading| format!("### {heading}\n")).collect();
        let answer = format!("{headings}{}", ExtractiveSummarizer.extract(request));
        *self.asked.answer.lock().unwrap_or_else(PoisonError::into_inner) = (answer, request.budget);
        self.summarizer.summarize(request).await
    }
}

/// Answers each request with the summary that is due.
#[derive(Debug)]
struct SummaryModel {
    model: Arc<RecordedModel>,
    /// The summary, and the tokens of output that it is paid with: all that a model may write.
    answer: Mutex<(String, u64)>,
}

#[async_trait]
impl LanguageModel for SummaryModel {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let (text, output) = self.answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let usage = self.model.bill_summary(request, output)?;
        let block = CompletionEvent::Block(ContentBlock::Text { text });
        let events = [block, CompletionEvent::Usage(usage), CompletionEvent::Finished(StopReason::EndTurn)];
        Ok(stream::iter(events.map(Ok)).boxed())
    }
}
