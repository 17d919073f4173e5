//! A summarizer that asks a model.

mod in_place;

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use throughline_compaction::{Prose, Spending, Summarizer, SummaryError, SummaryRequest};
use throughline_completion::{
    Assembly, CompletionEvent, CompletionRequest, LanguageModel, ModelError, StopReason,
};
use throughline_conversation::{Message, Transcript, cut_end};

use crate::switching::origin;

const PART: &str = include_str!("summarizer/part.md");
const MERGE: &str = include_str!("summarizer/merge.md");

/// Parts that messages are read in when they are too long for one reading. With the one that joins the notes, and a
/// first try that may overflow, a summary takes eight requests at most.
const PARTS: usize = 6;

/// Tokens that a model may think before it writes. What it thinks counts as output, and there is no telling which models
/// think: a limit that is not reached costs nothing.
const THINKING: u64 = 8_000;

/// Asks a model for the prose of a summary: no tools, no second try.
///
/// When the session's request is in the provider's cache and reading it there is cheaper, the very same request is
/// sent with an instruction behind it. Otherwise the messages are shown as text; those that do not fit into one
/// request are read in parts, whose notes are then joined.
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
        let used = self.prose(request).saturating_add(prompt);
        let tokens = info.window.saturating_sub(used).saturating_mul(4) / 5;
        usize::try_from(tokens.saturating_mul(BYTES_PER_TOKEN)).unwrap_or(usize::MAX)
    }

    /// Most tokens of the prose: what is somewhat too long is cut later, in its middle, and not here, at its end.
    fn prose(&self, request: &SummaryRequest<'_>) -> u64 {
        request.budget.saturating_mul(2).min(self.model.info().max_output).max(1)
    }

    /// Most tokens of the answer to a request of this text: the prose, and what of the thinking the window has room for.
    fn most_output(&self, request: &SummaryRequest<'_>, text: &str) -> u64 {
        let info = self.model.info();
        let prose = self.prose(request);
        let shown = request.counter.text(text);
        // The provider may count a quarter more than we do.
        let free = info.window.saturating_sub(shown.saturating_add(shown / 4));
        prose.saturating_add(THINKING).min(info.max_output).min(free).max(prose)
    }

    async fn in_text(&self, request: &SummaryRequest<'_>) -> Result<String, SummaryError> {
        let room = self.room(request);
        let parts = request.parts(room, PARTS);
        if let [text] = parts.as_slice() {
            // A prompt that has the messages in it already comes without any.
            let text = match text.is_empty() {
                true => request.prompt.to_owned(),
                false => format!("{}\n\n{text}", request.prompt),
            };
            return self.ask(&self.alone(text, request), request.spending).await.map_err(why);
        }
        let count = parts.len().to_string();
        let mut notes = String::new();
        for (index, text) in parts.iter().enumerate() {
            let number = (index + 1).to_string();
            let head = fill(PART, &[("prompt", request.prompt), ("part", &number), ("parts", &count)]);
            let note = self.ask(&self.alone(format!("{head}{text}"), request), request.spending).await;
            let note = note.map_err(why)?;
            notes.push_str(&format!("Part {number}:\n{}\n\n", cut_end(note.trim(), room / parts.len())));
        }
        let head = fill(MERGE, &[("prompt", request.prompt)]);
        let asked = self.alone(format!("{head}{}", notes.trim_end()), request);
        self.ask(&asked, request.spending).await.map_err(why)
    }

    /// A request of one message and nothing else.
    fn alone(&self, text: String, request: &SummaryRequest<'_>) -> CompletionRequest {
        let max_output_tokens = self.most_output(request, &text);
        CompletionRequest {
            model: self.model.info().name,
            session: None,
            tools: Arc::from(Vec::new()),
            system: Arc::from(Vec::new()),
            transcript: Transcript::from_messages([Message::user(text)]),
            tail: Vec::new(),
            breakpoints: Vec::new(),
            max_output_tokens,
        }
    }

    async fn ask(&self, request: &CompletionRequest, spending: Option<&Spending>) -> Result<String, Failed> {
        let told = spending.map(|spending| (spending, spending.asks(origin(&self.model.info()))));
        let mut stream = match self.model.stream(request).await {
            Ok(stream) => stream,
            Err(error) => {
                told.iter().for_each(|(spending, number)| spending.not_taken(*number));
                return Err(error.into());
            }
        };
        let mut assembly = Assembly::default();
        while let Some(event) = stream.next().await {
            let event = event?;
            if let (CompletionEvent::Usage(usage), Some((spending, number))) = (&event, told) {
                spending.used(number, *usage);
            }
            assembly.push(event);
        }
        let (message, stop, _) = assembly.finish()?;
        if stop == StopReason::Refusal {
            return Err(Failed::Answer(SummaryError::Refused(message.text())));
        }
        if let Some(call) = message.tool_calls().next() {
            return Err(Failed::Answer(SummaryError::CalledTool(call.name.clone())));
        }
        // No form of summary marks its end, so there is no telling how much of it is missing.
        if stop.is_cut_off() {
            return Err(Failed::Answer(SummaryError::CutOff));
        }
        Ok(message.text())
    }
}

/// Why there is no text.
#[derive(Debug)]
enum Failed {
    /// The request failed.
    Request(ModelError),
    /// The answer is none.
    Answer(SummaryError),
}

impl From<ModelError> for Failed {
    fn from(error: ModelError) -> Self {
        Self::Request(error)
    }
}

fn why(failed: Failed) -> SummaryError {
    match failed {
        Failed::Request(error) => SummaryError::Other(Box::new(error)),
        Failed::Answer(error) => error,
    }
}

/// Fills a text. A value is never looked into.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else { break };
        out.push_str(before);
        out.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[async_trait]
impl Summarizer for ModelSummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        let info = self.model.info();
        let text = match in_place::request(request, &info) {
            Some(asked) => match self.ask(&asked, request.spending).await {
                // The provider counts more than we do, or does not take pictures. A text has none.
                Err(Failed::Request(
                    ModelError::Overflow { .. }
                    | ModelError::TooLarge { .. }
                    | ModelError::PictureRefused { .. },
                )) => self.in_text(request).await?,
                answer => answer.map_err(why)?,
            },
            None => self.in_text(request).await?,
        };
        Ok(Prose { text, model: Some(info.name) })
    }
}

#[cfg(test)]
mod tests;
