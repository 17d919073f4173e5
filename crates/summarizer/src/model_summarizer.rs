//! The summarizer: which form of request is sent, and what counts as an answer.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use throughline_compaction::{Prose, Spending, Summarizer, SummaryError, SummaryRequest};
use throughline_completion::{
    Answer, Assembly, Backoff, CompletionEvent, CompletionRequest, LanguageModel, ModelError, ModelInfo,
    StopReason,
};
use throughline_conversation::{Purpose, SideOutcome, SideRequest};

use crate::settings::SummarizerSettings;
use crate::{in_place, in_text};

/// Asks a model for the prose of a summary, without tools. A request that fails for a reason which may pass is sent again,
/// see [`SummarizerSettings::retry`]: what follows a failure is a summary by rule, which is worse than a short wait.
///
/// If the session's request is in the provider's cache and reading it there is cheaper, the same request is sent with
/// an instruction behind it. Otherwise the messages are shown as text; if they do not fit into one request, they are
/// read in parts, and one more request joins the notes.
#[derive(Debug)]
pub struct ModelSummarizer {
    model: Arc<dyn LanguageModel>,
    settings: SummarizerSettings,
}

impl ModelSummarizer {
    /// Creates a summarizer that asks this model.
    #[must_use]
    pub fn new(model: Arc<dyn LanguageModel>, settings: SummarizerSettings) -> Self {
        Self { model, settings }
    }

    pub(crate) fn settings(&self) -> &SummarizerSettings {
        &self.settings
    }

    pub(crate) fn info(&self) -> ModelInfo {
        self.model.info()
    }

    /// The request of this model, for reports.
    pub(crate) fn side_request(&self, purpose: Purpose) -> SideRequest {
        SideRequest { purpose, model: self.info().origin(), server: self.model.server() }
    }

    /// Sends a request, with retries, and returns the text of its answer. Reports each attempt and its usage to `spending`.
    pub(crate) async fn ask(
        &self,
        request: &CompletionRequest,
        spending: Option<&Spending<'_>>,
    ) -> Result<String, AskError> {
        let mut backoff = Backoff::new(self.settings.retry, &self.info().name);
        let Answer { message, stop, .. } = loop {
            match self.attempt(request, spending).await {
                Ok(answer) => break answer,
                Err(error) => match backoff.wait_after(&error) {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => return Err(error.into()),
                },
            }
        };
        if stop == StopReason::Refusal {
            return Err(AskError::Answer(SummaryError::Refused(message.text())));
        }
        if let Some(call) = message.tool_calls().next() {
            return Err(AskError::Answer(SummaryError::CalledTool(call.name.clone())));
        }
        // No form of summary marks its end, so the missing part cannot be estimated.
        if stop.is_cut_off() {
            return Err(AskError::Answer(SummaryError::CutOff));
        }
        Ok(message.text())
    }

    /// Sends a request once, and reports it.
    async fn attempt(
        &self,
        request: &CompletionRequest,
        spending: Option<&Spending<'_>>,
    ) -> Result<Answer, ModelError> {
        let reported =
            spending.map(|spending| (spending, spending.asks(self.side_request(Purpose::Summary))));
        let answer = self.read(request, reported).await;
        if let Some((spending, number)) = reported {
            let outcome = match &answer {
                Ok(Answer { stop, details, .. }) => {
                    let stop = Some(stop.name().to_owned());
                    SideOutcome::Answered { stop, identity: details.identity.clone() }
                }
                Err(error) => SideOutcome::Failed(error.kind()),
            };
            spending.ended(number, outcome);
        }
        answer
    }

    /// Sends a request and reads all of its answer. `reported`: the request and where its usage is reported.
    async fn read(
        &self,
        request: &CompletionRequest,
        reported: Option<(&Spending<'_>, usize)>,
    ) -> Result<Answer, ModelError> {
        let opened = self.model.stream(request).await;
        if let (Err(_), Some((spending, number))) = (&opened, reported) {
            spending.not_taken(number);
        }
        let mut stream = opened?;
        let mut assembly = Assembly::default();
        while let Some(event) = stream.next().await {
            let event = event?;
            if let (CompletionEvent::Usage(usage), Some((spending, number))) = (&event, reported) {
                spending.used(number, *usage);
            }
            assembly.push(event);
        }
        assembly.finish()
    }
}

/// Why a request gave no usable text.
#[derive(Debug)]
pub(crate) enum AskError {
    /// The request failed.
    Request(ModelError),
    /// The answer is not a summary.
    Answer(SummaryError),
}

impl From<ModelError> for AskError {
    fn from(error: ModelError) -> Self {
        Self::Request(error)
    }
}

impl From<AskError> for SummaryError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Request(error) => Self::Other(Box::new(error)),
            AskError::Answer(error) => error,
        }
    }
}

#[async_trait]
impl Summarizer for ModelSummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        Ok(Prose::by_model(self.written(request).await?, self.info().name))
    }
}

impl ModelSummarizer {
    /// The text of the summary, before it is checked.
    async fn written(&self, request: &SummaryRequest<'_>) -> Result<String, SummaryError> {
        let info = self.info();
        Ok(match in_place::request(request, &info, self.settings.quote_bytes) {
            Some(asked) => match self.ask(&asked, request.spending).await {
                // The provider counts more than the local counter, or rejects pictures. Text contains none.
                Err(AskError::Request(
                    ModelError::Overflow { .. }
                    | ModelError::TooLarge { .. }
                    | ModelError::PictureRefused { .. },
                )) => in_text::ask(self, request).await?,
                answer => answer?,
            },
            None => in_text::ask(self, request).await?,
        })
    }
}

#[cfg(test)]
mod tests;
