//! What a whole answer must hold (Anthropic API reference, "Create a Message").

use crate::answer::shape::{Misfit, Part};

/// Checks what the decoder reads of a whole answer.
pub(crate) fn check_answer(answer: &Part<'_>) -> Result<(), Misfit> {
    for block in answer.field("content")?.items()? {
        check_block(&block)?;
    }
    answer.field("stop_reason")?.name()?;
    answer.optional("usage").map_or(Ok(()), |usage| usage.object())
}

fn check_block(block: &Part<'_>) -> Result<(), Misfit> {
    match block.field("type")?.name()? {
        "text" => block.field("text")?.text().map(drop),
        "thinking" => block.field("thinking")?.text().map(drop),
        "tool_use" => {
            block.field("id")?.name()?;
            block.field("name")?.name()?;
            block.field("input")?.object()
        }
        _ => Ok(()),
    }
}
