//! A turn that failed: what happened, and what to do.

use throughline_agent::TurnError;
use throughline_completion::ModelError;
use throughline_text::{error_chain, headline};

/// Characters of what happened: a provider's own words may be a page.
const MAX_WHAT: usize = 300;

/// A sentence each.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) what: String,
    pub(super) advice: String,
}

impl Failure {
    pub(super) fn of(error: &TurnError) -> Self {
        let (what, advice) = match error {
            TurnError::Model(error) => (error_chain(error), advice(error)),
            TurnError::Declined(_) => {
                (error_chain(error), "It is not a part of the session: write another one.")
            }
            error => (error_chain(error), "The session is saved; /continue takes it up."),
        };
        Self { what: headline(&what, MAX_WHAT), advice: advice.to_owned() }
    }
}

/// What helps when a model fails.
fn advice(error: &ModelError) -> &'static str {
    match error {
        ModelError::Unauthorized { .. } => {
            "The session is saved. Check the key: `throughline login` or the variable of the provider; then throughline -c."
        }
        ModelError::Unpaid { .. } => {
            "The session is saved. Look at the account's credit and limits, then /continue, or /model for another model."
        }
        ModelError::UnknownModel { .. } => "The session is saved; /model lists the models, then /continue.",
        ModelError::RateLimited { .. } => {
            "The session is saved; wait, then /continue, or /model for another model."
        }
        ModelError::NotRunning { .. } => "The session is saved; start the server, then /continue, or /model.",
        ModelError::Overflow { .. } => {
            "The session is saved. /model takes a model with a larger window, /context drop N hides what is large; then /continue. \
             Or /clear for a new session."
        }
        ModelError::TooLarge { .. } | ModelError::PictureRefused { .. } => {
            "The session is saved; /undo removes the turn with what was refused."
        }
        ModelError::OutputTooLarge { .. } => {
            "The session is saved; start with a lower --max-output-tokens, then /continue."
        }
        ModelError::InvalidRequest { .. }
        | ModelError::ThinkingRefused { .. }
        | ModelError::Filtered { .. } => {
            "The session is saved; /undo removes the turn, /model asks another model."
        }
        ModelError::Unavailable { .. }
        | ModelError::NoRetry { .. }
        | ModelError::Interrupted { .. }
        | ModelError::Silent { .. }
        | ModelError::Other(_) => "The session is saved; /continue tries again, /model asks another model.",
    }
}

#[cfg(test)]
mod tests;
