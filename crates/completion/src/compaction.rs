//! What a provider answers that was asked to compact a conversation by its own means.

use serde_json::Value;
use throughline_conversation::Usage;

/// The answer of a provider that was asked to compact a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderAnswer {
    /// The provider, its server or the model has no such means, and why that is known. Asking again does not help, and nothing
    /// was paid.
    Unsupported(String),
    /// It answered.
    Answered {
        /// What it made of the messages, or why its answer cannot be used.
        made: Result<ProviderSummary, String>,
        /// Its report about the request; `None` without one. An answer that cannot be used is paid all the same.
        usage: Option<Usage>,
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
