//! What a whole answer must hold (Gemini API reference, "GenerateContentResponse").

use crate::answer::shape::{Misfit, Part};

/// Checks what the decoder reads of a whole answer. A prompt that was blocked has no candidate.
pub(crate) fn check_answer(answer: &Part<'_>) -> Result<(), Misfit> {
    let blocked = answer.optional("promptFeedback").and_then(|feedback| feedback.optional("blockReason"));
    if blocked.is_none() {
        check_candidate(&answer.field("candidates")?.first()?)?;
    }
    answer.optional("usageMetadata").map_or(Ok(()), |usage| usage.object())
}

fn check_candidate(candidate: &Part<'_>) -> Result<(), Misfit> {
    let parts = candidate.optional("content").and_then(|content| content.optional("parts"));
    for part in parts.map_or(Ok(Vec::new()), |parts| parts.items())? {
        part.object()?;
        if let Some(text) = part.optional("text") {
            text.text()?;
        }
        if let Some(call) = part.optional("functionCall") {
            call.field("name")?.name()?;
            call.optional("args").map_or(Ok(()), |args| args.object())?;
        }
    }
    candidate.field("finishReason")?.name().map(drop)
}
