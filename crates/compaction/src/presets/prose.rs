//! Asking for the prose of a preset's summary, and noting how it was made.

use std::error::Error;

use throughline_conversation::{EntryKind, SummaryNote};
use throughline_text::error_chain;

use crate::cover::Stretch;
use crate::judge::judge;
use crate::{Draft, Prose, Summarizer, SummaryRequest, Template};

/// What the summarizer writes, when there is one; `None`: there is none.
///
/// # Errors
/// Why its answer cannot be used: it failed, or the answer is empty, a refusal, a tool call, without the headings
/// that it was asked for, or not shorter than the `replaced` tokens whose place it would take.
pub(super) async fn ask(
    summarizer: Option<&dyn Summarizer>,
    request: &SummaryRequest<'_>,
    template: &Template,
    replaced: u64,
) -> Result<Option<Prose>, String> {
    let Some(summarizer) = summarizer else { return Ok(None) };
    match summarizer.summarize(request).await {
        Ok(prose) => judge(&prose.text, replaced, request.budget, template, request.counter)
            .map(|text| Some(Prose { text, ..prose })),
        Err(error) => Err(error_chain(&error as &dyn Error)),
    }
}

/// Covers a stretch with a summary.
pub(super) fn cover(
    draft: &mut Draft<'_>,
    stretch: &Stretch,
    text: String,
    template: &Template,
    model: Option<String>,
) {
    let covered = draft.original_of(stretch.span);
    let parent = covered.iter().rfind(|entry| entry.kind == EntryKind::Summary).map(|entry| entry.span);
    let tokens = draft.counter().text(&text);
    let note = SummaryNote { template: template.name.to_owned(), model, tokens, parent };
    draft.cover_noted(stretch.span, text, Some(note));
}
