//! What a whole answer must hold (OpenAI API reference, "The chat completion object").

use crate::answer::shape::{Misfit, Part};

/// Checks what the decoder reads of a whole answer.
pub(crate) fn check_answer(answer: &Part<'_>) -> Result<(), Misfit> {
    let choice = answer.field("choices")?.first()?;
    let message = choice.field("message")?;
    message.object()?;
    if let Some(content) = message.optional("content") {
        content.text_or_list()?;
    }
    if let Some(calls) = message.optional("tool_calls") {
        for call in calls.items()? {
            let function = call.field("function")?;
            function.field("name")?.name()?;
            function.optional("arguments").map_or(Ok(()), |arguments| arguments.arguments())?;
        }
    }
    // Empty at Snowflake Cortex.
    choice.field("finish_reason")?.text()?;
    answer.optional("usage").map_or(Ok(()), |usage| usage.object())
}
