//! Asking a summarizer for prose, and checking its answer.

use throughline_text::error_chain;

use crate::draft::Draft;
use crate::injected::own_prose;
use crate::summarizer::{Prose, Summarizer, SummaryError, SummaryRequest};

/// The summarizer's prose, checked and cut to the request's budget; `None` without a summarizer, and where none is
/// [ready](SummaryError::NotReady). A fallback that it took is recorded in the draft.
///
/// # Errors
/// The reason why the answer cannot be used: the summarizer failed, or its answer fails [`SummaryRequest::check`].
pub async fn request_prose(
    draft: &mut Draft<'_>,
    summarizer: Option<&dyn Summarizer>,
    request: &SummaryRequest<'_>,
) -> Result<Option<Prose>, String> {
    let Some(summarizer) = summarizer else { return Ok(None) };
    let mut prose = match summarizer.summarize(request).await {
        Ok(prose) => prose,
        Err(SummaryError::NotReady) => return Ok(None),
        Err(error) => return Err(error_chain(&error)),
    };
    if let Some(cause) = prose.fell_back.take() {
        draft.degrade("compaction by the provider", "a summary by the session's model", cause);
    }
    // Before the text is cut: a part of a line is harder to tell from another's than the whole line.
    let text = request.check(&own_prose(draft, request.entries, &prose.text))?;
    Ok(Some(Prose { text, ..prose }))
}

#[cfg(test)]
mod tests;
