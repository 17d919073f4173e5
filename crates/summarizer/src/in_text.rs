//! Requests that show the messages as text.

use throughline_compaction::{SummaryError, SummaryRequest};
use throughline_completion::{CompletionRequest, ModelInfo};
use throughline_conversation::Message;
use throughline_text::cut_end;

use crate::model_summarizer::ModelSummarizer;
use crate::placeholders::fill;
use crate::settings::SummarizerSettings;

const PART: &str = include_str!("part.md");
const MERGE: &str = include_str!("merge.md");

/// One request to a model of these facts that shows the messages as text, cut where they are too long for it.
#[must_use]
pub fn text_request(
    request: &SummaryRequest<'_>,
    info: &ModelInfo,
    settings: &SummarizerSettings,
) -> CompletionRequest {
    let limits = TextLimits { info, settings, request };
    limits.whole(&request.text(limits.room()))
}

/// Asks for the summary in one request, or in parts whose notes one more request joins.
pub(crate) async fn ask(
    summarizer: &ModelSummarizer,
    request: &SummaryRequest<'_>,
) -> Result<String, SummaryError> {
    let info = summarizer.info();
    let limits = TextLimits { info: &info, settings: summarizer.settings(), request };
    let room = limits.room();
    let parts = request.parts(room, limits.settings.max_parts);
    if let [text] = parts.as_slice() {
        return Ok(summarizer.ask(&limits.whole(text), request.spending).await?);
    }
    let count = parts.len().to_string();
    let mut notes = String::new();
    for (index, text) in parts.iter().enumerate() {
        let number = (index + 1).to_string();
        let head = fill(PART, &[("prompt", request.prompt), ("part", &number), ("parts", &count)]);
        let asked = limits.single_message(format!("{head}{text}"));
        let note = summarizer.ask(&asked, request.spending).await?;
        notes.push_str(&format!("Part {number}:\n{}\n\n", cut_end(note.trim(), room / parts.len())));
    }
    let head = fill(MERGE, &[("prompt", request.prompt)]);
    let asked = limits.single_message(format!("{head}{}", notes.trim_end()));
    Ok(summarizer.ask(&asked, request.spending).await?)
}

/// How much text a request may show and how long its answer may be.
struct TextLimits<'a> {
    info: &'a ModelInfo,
    settings: &'a SummarizerSettings,
    request: &'a SummaryRequest<'a>,
}

impl TextLimits<'_> {
    /// Maximum bytes of messages in one request.
    fn room(&self) -> usize {
        let prompt = self.request.counter.text(self.request.prompt);
        let used = self.summary_tokens().saturating_add(prompt);
        let free = self.info.window.saturating_sub(used);
        let tokens = SummarizerSettings::percent(free, self.settings.text_percent);
        usize::try_from(tokens.saturating_mul(self.settings.bytes_per_token)).unwrap_or(usize::MAX)
    }

    /// Maximum tokens of the summary itself.
    fn summary_tokens(&self) -> u64 {
        let budget = self.request.budget.saturating_mul(self.settings.budget_factor);
        budget.min(self.info.max_output).max(1)
    }

    /// Output limit of a request that shows this text: the summary, and the thinking that the window has room for.
    fn output_tokens(&self, text: &str) -> u64 {
        let summary = self.summary_tokens();
        let shown = self.request.counter.text(text);
        let free = self.settings.free(self.info.window, shown);
        summary.saturating_add(self.settings.thinking_tokens).min(self.info.max_output).min(free).max(summary)
    }

    /// A request of the prompt with all messages behind it.
    fn whole(&self, text: &str) -> CompletionRequest {
        // The prompt of some templates already contains the messages; then there is no other text.
        self.single_message(match text.is_empty() {
            true => self.request.prompt.to_owned(),
            false => format!("{}\n\n{text}", self.request.prompt),
        })
    }

    /// A request of one message and nothing else.
    fn single_message(&self, text: String) -> CompletionRequest {
        let max_output_tokens = self.output_tokens(&text);
        CompletionRequest::of_messages(&self.info.name, [Message::user(text)], max_output_tokens)
    }
}
