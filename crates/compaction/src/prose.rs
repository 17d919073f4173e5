//! Asking a summarizer for prose, and checking its answer.

use throughline_text::error_chain;

use crate::judge::judge;
use crate::summarizer::{Prose, Summarizer, SummaryRequest};
use crate::template::Template;

/// The summarizer's prose, checked and cut to the request's budget; `None` without a summarizer.
///
/// # Errors
/// The reason why the answer cannot be used: the summarizer failed, or the answer is empty, a refusal, a tool call,
/// lacks a heading of the template, or is not shorter than the `replaced` tokens of the messages that it replaces.
pub async fn request_prose(
    summarizer: Option<&dyn Summarizer>,
    request: &SummaryRequest<'_>,
    template: &Template,
    replaced: u64,
) -> Result<Option<Prose>, String> {
    let Some(summarizer) = summarizer else { return Ok(None) };
    match summarizer.summarize(request).await {
        Ok(prose) => judge(&prose.text, replaced, request.budget, template, request.counter)
            .map(|text| Some(Prose { text, ..prose })),
        Err(error) => Err(error_chain(&error)),
    }
}
