//! Errors of model requests, one variant for each decision of a caller.

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
        /// The tokens of the request by the provider's own count, when it named them.
        tokens: Option<u64>,
    },
    /// The request has more bytes, or more pictures, than the provider takes, whatever the window. Send fewer of them. It
    /// tells nothing about tokens.
    #[error("the request is too large for the provider: {message}")]
    TooLarge {
        /// The provider's own words.
        message: String,
    },
    /// The request asks for a longer answer than the model gives. Ask for fewer tokens, then send again.
    #[error("the request asks for a longer answer than the model gives: {message}")]
    OutputTooLarge {
        /// The provider's own words.
        message: String,
        /// Maximum tokens of an answer, when the provider named them.
        limit: Option<u64>,
    },
    /// The provider does not take a picture of the request. Leave it out, then send again.
    #[error("the provider does not take a picture of the request: {message}")]
    PictureRefused {
        /// The provider's own words.
        message: String,
    },
    /// The provider does not accept thinking of earlier answers: another account, region or proxy signed it. Leave the thinking
    /// out, then send again.
    #[error("the provider does not accept the thinking of earlier answers: {message}")]
    ThinkingRefused {
        /// The provider's own words.
        message: String,
    },
    /// A content filter refuses the request. Sending it again does not help; without what the filter objects to, or at another
    /// provider, it may be answered.
    #[error("the provider's content filter refuses the request: {message}")]
    Filtered {
        /// The provider's own words.
        message: String,
    },
    /// Too many requests. Wait, then send again.
    #[error("rate limited by the provider: {message}{}", retry_hint(*.retry_after_ms))]
    RateLimited {
        /// The provider's own words.
        message: String,
        /// Milliseconds to wait, if the provider named them.
        retry_after_ms: Option<u64>,
    },
    /// The provider is overloaded or failed inside. Send again a little later.
    #[error("provider unavailable: {message}{}", retry_hint(*.retry_after_ms))]
    Unavailable {
        /// The provider's own words.
        message: String,
        /// Milliseconds to wait, if the provider named them.
        retry_after_ms: Option<u64>,
    },
    /// The provider failed inside, and says that sending again does not help.
    #[error("provider unavailable, and it asks not to retry: {message}")]
    NoRetry {
        /// The provider's own words.
        message: String,
    },
    /// Nothing listens at an address of this machine. It may be starting: sending again helps within seconds or not at all.
    #[error("provider unavailable: {message}")]
    NotRunning {
        /// The address and the cause.
        message: String,
    },
    /// The key is missing, wrong or lacks a right. Sending again does not help.
    #[error("the provider rejects the credentials: {message}")]
    Unauthorized {
        /// The provider's own words.
        message: String,
    },
    /// The account has no credit or no quota left, or has reached a limit of its spending. Sending again does not help before
    /// its owner has changed that.
    #[error("the provider's account has no credit or quota left: {message}")]
    Unpaid {
        /// The provider's own words.
        message: String,
    },
    /// The provider does not have the model: its name is wrong, it was retired, or this account may not use it. Sending
    /// again does not help, another model may answer.
    #[error("the provider does not have the model: {message}")]
    UnknownModel {
        /// The provider's own words.
        message: String,
    },
    /// The provider refuses the request as malformed. Sending again does not help.
    #[error("the provider rejects the request: {message}")]
    InvalidRequest {
        /// The provider's own words.
        message: String,
    },
    /// The stream ended before the answer did. The partial answer is discarded.
    #[error("the answer broke off: {message}")]
    Interrupted {
        /// The known details.
        message: String,
    },
    /// No data came within the timeout. The partial answer is discarded. Another try takes as
    /// long again and may be paid as well, so one more is enough.
    #[error("the provider timed out: {message}")]
    Silent {
        /// The known details.
        message: String,
    },
    /// Anything else.
    #[error("the model failed")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ModelError {
    /// One word for programs. It never holds anything that the provider said.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Overflow { .. } => "overflow",
            Self::TooLarge { .. } => "too_large",
            Self::OutputTooLarge { .. } => "output_too_large",
            Self::PictureRefused { .. } => "picture_refused",
            Self::ThinkingRefused { .. } => "thinking_refused",
            Self::Filtered { .. } => "filtered",
            Self::NoRetry { .. } => "no_retry",
            Self::RateLimited { .. } => "rate_limited",
            Self::Unavailable { .. } => "unavailable",
            Self::NotRunning { .. } => "not_running",
            Self::Unauthorized { .. } => "unauthorized",
            Self::Unpaid { .. } => "unpaid",
            Self::UnknownModel { .. } => "unknown_model",
            Self::InvalidRequest { .. } => "invalid_request",
            Self::Interrupted { .. } => "interrupted",
            Self::Silent { .. } => "timeout",
            Self::Other(_) => "_OTHER",
        }
    }

    /// Milliseconds to wait before a retry, if the provider named them.
    #[must_use]
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after_ms, .. } | Self::Unavailable { retry_after_ms, .. } => {
                *retry_after_ms
            }
            _ => None,
        }
    }

    /// Returns true if the words may be about a picture that they do not name: the server takes no content but a text.
    #[must_use]
    pub fn wants_text(&self) -> bool {
        let Self::InvalidRequest { message } = self else { return false };
        let lower = message.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        has(&["content", "messages", "input[", "input."])
            && has(&["a string", "valid string", "a sequence", "sequence,"])
            && !has(&["tools.", "tools[", "tool_calls", "schema"])
    }

    /// Returns true if the same request may succeed later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Unavailable { .. }
                | Self::NoRetry { .. }
                | Self::NotRunning { .. }
                | Self::Interrupted { .. }
                | Self::Silent { .. }
        )
    }
}

/// The provider's word about the wait, for people: in the largest two units, rounded up.
fn retry_hint(retry_after_ms: Option<u64>) -> String {
    let Some(seconds) = retry_after_ms.map(|ms| ms.div_ceil(1_000)).filter(|seconds| *seconds > 0) else {
        return String::new();
    };
    let minutes = seconds.div_ceil(60);
    let (large, unit, small, of) = match seconds {
        0..60 => (seconds, "s", 0, ""),
        60..3_600 => (seconds / 60, "min", seconds % 60, "s"),
        3_600..86_400 => (minutes / 60, "h", minutes % 60, "min"),
        _ => (minutes.div_ceil(60) / 24, "days", minutes.div_ceil(60) % 24, "h"),
    };
    match small {
        0 => format!(" (it asks to retry in {large} {unit})"),
        _ => format!(" (it asks to retry in {large} {unit} {small} {of})"),
    }
}
