//! Remedies for rejected requests.

use throughline_completion::ModelError;

/// Adds what to set to a refusal that is about thinking which was sent back, or should have been.
#[must_use]
pub fn with_hint(error: ModelError) -> ModelError {
    match error {
        ModelError::InvalidRequest { message } if is_about_thinking(&message) => {
            // "must be passed back" (DeepSeek), "is missing" (Kimi); "is unsupported" (Groq), "not permitted".
            let lacks = ["passed back", "missing", "required"].iter().any(|word| message.contains(word));
            let value = if lacks { "always" } else { "never" };
            let hint = format!("set `thinking_back = \"{value}\"` for this model in your model file");
            ModelError::InvalidRequest { message: format!("{message} ({hint})") }
        }
        other => other,
    }
}

fn is_about_thinking(message: &str) -> bool {
    message.contains("reasoning_content")
        || (message.contains("messages")
            && ["'reasoning'", ".reasoning"].iter().any(|name| message.contains(name)))
}
