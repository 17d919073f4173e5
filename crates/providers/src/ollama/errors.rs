//! Errors of an Ollama server.

use serde_json::Value;
use throughline_wire::errors::one_line;

/// Why a request to the server failed.
#[derive(Debug, thiserror::Error)]
pub enum OllamaError {
    /// The address or a header cannot be used.
    #[error("ollama cannot be asked: {message}")]
    Address {
        /// What is wrong, and how to fix it.
        message: String,
    },
    /// Nothing listens there.
    #[error(
        "ollama at {host} cannot be reached ({message}); is `ollama serve` running, and is the address right?"
    )]
    Unreachable {
        /// Host and port.
        host: String,
        /// The cause, in one line.
        message: String,
    },
    /// It does not answer in time.
    #[error("ollama at {host} did not answer within {seconds} s; it may be loading a model, try again")]
    TimedOut {
        /// Host and port.
        host: String,
        /// How long it was waited for.
        seconds: f64,
    },
    /// The server, or for a pull its library, does not have the model.
    #[error(
        "ollama has no model {name:?} ({message}); `ollama list` shows what is there, `ollama pull` fetches more"
    )]
    NoSuchModel {
        /// The name that was asked for.
        name: String,
        /// The server's own words.
        message: String,
    },
    /// The server refuses.
    #[error("ollama at {host} refuses: {message}")]
    Refused {
        /// Host and port.
        host: String,
        /// The server's own words.
        message: String,
    },
    /// The answer is not one of Ollama's.
    #[error("{host} does not answer like ollama ({message}); is this the right address?")]
    Garbled {
        /// Host and port.
        host: String,
        /// The cause, in one line.
        message: String,
    },
    /// The server stopped before it was done.
    #[error("ollama at {host} stopped before the model was there; try again, it continues where it stopped")]
    Interrupted {
        /// Host and port.
        host: String,
    },
}

impl OllamaError {
    /// The body of a response that is no success. `redact` takes keys out of a text.
    pub(in crate::ollama) fn answered(host: String, body: &str, redact: impl Fn(&str) -> String) -> Self {
        match Self::of_body(&host, body, redact) {
            Some(error) => error,
            None if body.trim().is_empty() => {
                Self::Garbled { host, message: "an error without words".to_owned() }
            }
            None => Self::Garbled { host, message: one_line(body) },
        }
    }

    /// The error that a JSON text tells, if it tells one.
    pub(in crate::ollama) fn of_body(
        host: &str,
        text: &str,
        redact: impl Fn(&str) -> String,
    ) -> Option<Self> {
        let said = serde_json::from_str::<Value>(text).ok()?;
        let message = match said.get("error")? {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // JSON escapes may have hidden a key.
        Some(Self::Refused { host: host.to_owned(), message: one_line(&redact(&message)) })
    }

    /// The error of a question about this model.
    pub(in crate::ollama) fn about(self, name: &str) -> Self {
        match self {
            Self::Refused { message, .. } if is_missing(&message) => {
                Self::NoSuchModel { name: name.to_owned(), message }
            }
            other => other,
        }
    }
}

/// The server's words for a model that it does not have, and for one that its library does not have.
fn is_missing(message: &str) -> bool {
    message.contains("not found") || message.contains("file does not exist")
}

#[cfg(test)]
mod tests;
