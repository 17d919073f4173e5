//! Why there is no model to ask.

use throughline_providers::http::{EndpointError, KeyError};
use throughline_providers::models::TableError;
use throughline_text::error_chain;

#[cfg(not(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai")))]
use crate::choice::Provider;
use crate::local_server::{OllamaError, is_absent, is_unreachable};

/// Why there is no model to ask.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// Neither the choice nor the environment names one, and no local one answers.
    #[error("{}{}", .named.as_deref().unwrap_or("no model is configured"), empty_variables(.empty))]
    NoProvider {
        /// Why the model that the choice names has no provider; `None`: it names no model, or an unknown one.
        named: Option<String>,
        /// Variables that should hold a key and are empty.
        empty: Vec<&'static str>,
    },
    /// The provider of the choice takes a key, and none is set.
    #[error(
        "{subject} needs a key: store one with `throughline login`, set {variable}, or name a file with --key-file"
    )]
    MissingKey {
        /// The model or the provider.
        subject: String,
        /// The environment variable of the key.
        variable: &'static str,
    },
    /// The choice cannot be used. The text says what would be right.
    #[error("{0}")]
    Usage(String),
    /// This program has no client for the provider.
    #[error(
        "this program was built without the client of provider {provider}; build it with the feature `{feature}`, or bring a \
         model of your own"
    )]
    NoClient {
        /// The provider.
        provider: &'static str,
        /// The cargo feature of its client.
        feature: &'static str,
    },
    /// A header of the choice has no colon.
    #[error("a header of --header has no colon; write it as \"name: value\"")]
    Header,
    /// The key is empty or malformed.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The address is not one.
    #[error("the address of provider {provider} cannot be used")]
    Address {
        /// Whose address.
        provider: &'static str,
        /// What is wrong with it.
        #[source]
        source: EndpointError,
    },
    /// The user's table of models cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// An Ollama did not name its models.
    #[error("could not ask Ollama for its models")]
    Models(#[source] OllamaError),
    /// An Ollama does not answer, or does not have the model.
    #[error(transparent)]
    Ollama(OllamaError),
}

impl ConnectError {
    /// [`ConnectError::NoClient`] of this provider.
    #[cfg(not(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai")))]
    pub(crate) fn no_client(provider: Provider) -> Self {
        Self::NoClient { provider: provider.name(), feature: provider.feature() }
    }

    /// The error and its causes in one line.
    #[must_use]
    pub fn text(&self) -> String {
        error_chain(self)
    }

    /// Returns true if the service cannot answer now, so that the same may succeed later. An Ollama is asked before there
    /// is a session; one that is down is no different from another service that is.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        self.ollama().is_some_and(is_unreachable)
    }

    /// Returns true if only a key is missing.
    #[must_use]
    pub fn is_missing_key(&self) -> bool {
        matches!(self, Self::MissingKey { .. } | Self::NoProvider { named: Some(_), .. })
    }

    /// Returns true if a key of a provider would help.
    #[must_use]
    pub fn needs_login(&self) -> bool {
        matches!(self, Self::MissingKey { .. } | Self::NoProvider { .. })
    }

    /// Returns true if another model may answer instead: the choice is right, and its model is not available.
    pub(crate) fn allows_fallback(&self) -> bool {
        matches!(self, Self::NoProvider { .. }) || self.ollama().is_some_and(is_absent)
    }

    fn ollama(&self) -> Option<&OllamaError> {
        match self {
            Self::Models(error) | Self::Ollama(error) => Some(error),
            _ => None,
        }
    }
}

fn empty_variables(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => format!("; {name} is set, but to nothing"),
        names => format!("; {} are set, but to nothing", names.join(" and ")),
    }
}
