//! What a whole answer must hold (OpenAI API reference, "The response object").

use crate::answer::shape::{Misfit, Part};

/// Checks what the decoder reads of a whole answer.
pub(crate) fn check_answer(answer: &Part<'_>) -> Result<(), Misfit> {
    for item in answer.field("output")?.items()? {
        check_item(&item)?;
    }
    if let Some(status) = answer.optional("status") {
        status.text()?;
    }
    answer.optional("usage").map_or(Ok(()), |usage| usage.object())
}

fn check_item(item: &Part<'_>) -> Result<(), Misfit> {
    match item.field("type")?.name()? {
        "message" => {
            for part in item.field("content")?.items()? {
                match part.field("type")?.name()? {
                    "output_text" => part.field("text")?.text()?,
                    "refusal" => part.field("refusal")?.text()?,
                    _ => continue,
                };
            }
        }
        "function_call" => {
            item.field("call_id")?.name()?;
            item.field("name")?.name()?;
            item.field("arguments")?.text()?;
        }
        _ => {}
    }
    Ok(())
}
