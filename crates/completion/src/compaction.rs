//! What a provider answers that was asked to compact a conversation by its own means.

use serde_json::Value;
use throughline_conversation::{AnswerIdentity, Usage};

/// The answer of a provider that was asked to compact a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderAnswer {
    /// The provider, its server or the model has no such means. Asking again does not help, and nothing
    /// was paid.
    Unsupported {
        /// Why that is known.
        cause: String,
        /// True if a server was asked.
        asked: bool,
    },
    /// It answered.
    Answered {
        /// What it made of the messages, or why its answer cannot be used.
        made: Result<ProviderSummary, String>,
        /// Its report about the request; `None` without one. An answer that cannot be used is paid all the same.
        usage: Option<Usage>,
        /// Why the model stopped, where that is reported.
        stop: Option<String>,
        /// What the provider says the answer is.
        identity: AnswerIdentity,
    },
}

/// What a provider makes of the messages of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderSummary {
    /// A summary that can be read.
    Text(String),
    /// An opaque item of the wire, which says something to the same model at the same provider only.
    Item(Value),
}
