//! Remedies for rejected requests.

use throughline_completion::ModelError;

/// Adds what to set to the refusal of a model that does not reason.
pub(super) fn with_hint(error: ModelError) -> ModelError {
    match error {
        ModelError::InvalidRequest { message }
            if message.starts_with("Encrypted content is not supported") =>
        {
            let hint = "set `encrypted_reasoning` to false for this model";
            ModelError::InvalidRequest { message: format!("{message} ({hint})") }
        }
        other => other,
    }
}
