//! Why an answer ended, as a stop reason or an error.

use throughline_completion::{AnswerDetail, CompletionEvent, ModelError, RefusalDetails, StopReason};

use crate::errors::one_line;

/// Reasons for which the API withholds an answer (Gemini API reference, "FinishReason" and "BlockReason").
const REFUSED: &[&str] = &[
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "MODEL_ARMOR",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
];

/// Ends of an answer that the API could not complete.
const BROKEN: &[&str] = &["OTHER", "FINISH_REASON_UNSPECIFIED"];

/// Reasons of a bad sample: another try gives another one.
const SAMPLE: &[&str] = &["MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL"];

/// The stop reason of a finish reason.
///
/// # Errors
/// [`ModelError::Interrupted`] for an answer that the server broke off, and for a call that it could not read, unless the answer has
/// `called` after all.
pub(super) fn stop(reason: &str, called: bool, message: &str) -> Result<StopReason, ModelError> {
    Ok(match reason {
        // The second one comes from servers that imitate the API.
        "STOP" | "FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" if called => StopReason::ToolUse,
        "STOP" => StopReason::EndTurn,
        "MAX_TOKENS" => StopReason::MaxTokens,
        refused if REFUSED.contains(&refused) => StopReason::Refusal,
        sample if SAMPLE.contains(&sample) => {
            let said = if message.is_empty() { sample } else { message };
            let message =
                format!("the model wrote a tool call that its server cannot read: {}", one_line(said));
            return Err(ModelError::Interrupted { message });
        }
        broken if BROKEN.contains(&broken) => {
            let said = if message.is_empty() { String::new() } else { format!(": {}", one_line(message)) };
            let message = format!("the server ended it with the reason {broken:?}{said}");
            return Err(ModelError::Interrupted { message });
        }
        other => StopReason::Other(other.to_owned()),
    })
}

/// Why the API refused, and what it said.
pub(super) fn refusal(reason: &str, said: &str) -> CompletionEvent {
    let details = RefusalDetails {
        category: Some(reason.to_owned()),
        explanation: Some(one_line(said)).filter(|said| !said.is_empty()),
        recommended_model: None,
    };
    CompletionEvent::Detail(AnswerDetail::Refusal(details))
}
