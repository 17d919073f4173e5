//! What can go wrong with a model, one variant for each decision a caller takes.

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The request does not fit the window. Compact, then send again.
    #[error("the request is too long for the model: {message}")]
    Overflow {
        /// The provider's own words.
        message: String,
        /// The model's limit in tokens, when the provider named it.
        limit: Option<u64>,
    },
    /// Too many requests. Wait, then send again.
    #[error("the provider limits the rate of requests: {message}")]
    RateLimited {
        /// The provider's own words.
        message: String,
        /// How long to wait in milliseconds, when the provider said so.
        retry_after_ms: Option<u64>,
    },
    /// The provider is overloaded or failed inside. Send again a little later.
    #[error("the provider is not able to answer now: {message}")]
    Unavailable {
        /// The provider's own words.
        message: String,
    },
    /// The key is missing, wrong or lacks a right. Sending again does not help.
    #[error("the provider refuses the credentials: {message}")]
    Unauthorized {
        /// The provider's own words.
        message: String,
    },
    /// The provider refuses the request as malformed. Sending again does not help.
    #[error("the provider refuses the request: {message}")]
    InvalidRequest {
        /// The provider's own words.
        message: String,
    },
    /// The stream ended before the answer did. Nothing of it is kept.
    #[error("the answer broke off: {message}")]
    Interrupted {
        /// What is known.
        message: String,
    },
    /// Anything else.
    #[error("the model failed")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ModelError {
    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::RateLimited { .. } | Self::Unavailable { .. } | Self::Interrupted { .. })
    }
}
