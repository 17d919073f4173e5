//! What a whole answer must hold (Ollama documentation, "Generate a chat message").

use crate::answer::shape::{Misfit, Part};

/// Checks what the decoder reads of a whole answer.
pub(crate) fn check_answer(answer: &Part<'_>) -> Result<(), Misfit> {
    let message = answer.field("message")?;
    message.object()?;
    for name in ["content", "thinking"] {
        if let Some(text) = message.optional(name) {
            text.text()?;
        }
    }
    if let Some(calls) = message.optional("tool_calls") {
        for call in calls.items()? {
            let function = call.field("function")?;
            function.field("name")?.name()?;
            function.optional("arguments").map_or(Ok(()), |arguments| arguments.arguments())?;
        }
    }
    answer.field("done")?.is_true()
}
