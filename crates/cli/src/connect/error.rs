//! Why there is no model to ask.

use throughline_providers::ollama::OllamaError;
use throughline_text::error_chain;

/// Why there is no model to ask.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    /// Neither the arguments nor the environment name one, and no local one answers.
    #[error("no model is configured{}", empty_variables(.empty))]
    NoProvider {
        /// Variables that should hold a key and hold nothing.
        empty: Vec<&'static str>,
    },
    /// What was named cannot be used.
    #[error("{0}")]
    Usage(String),
    /// Anything else.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl ConnectError {
    /// The error and its causes in one line.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Other(error) => error_chain(error.as_ref()),
            other => other.to_string(),
        }
    }

    /// Whether the service cannot answer now: the same may succeed later. An Ollama is asked before there is a session;
    /// one that is down is no different from another service that is.
    pub(crate) fn is_passing(&self) -> bool {
        self.of_ollama().any(is_passing)
    }

    /// Whether another model may stand in: what was asked for is right, and is not there.
    pub(super) fn another_may_answer(&self) -> bool {
        matches!(self, Self::NoProvider { .. }) || self.of_ollama().any(is_absent)
    }

    fn of_ollama(&self) -> impl Iterator<Item = &OllamaError> {
        let other = if let Self::Other(error) = self { Some(error) } else { None };
        other.into_iter().flat_map(|error| error.chain()).filter_map(|cause| cause.downcast_ref())
    }
}

fn is_passing(error: &OllamaError) -> bool {
    matches!(error, OllamaError::Unreachable { .. } | OllamaError::TimedOut { .. })
}

/// Whether the server, or the model on it, is not there. What else goes wrong when a detail is asked for need not keep
/// the model from answering.
pub(super) fn is_absent(error: &OllamaError) -> bool {
    is_passing(error) || matches!(error, OllamaError::NoSuchModel { .. })
}

fn empty_variables(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => format!("; {name} is set, but to nothing"),
        names => format!("; {} are set, but to nothing", names.join(" and ")),
    }
}
