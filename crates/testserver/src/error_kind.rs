//! Errors that every provider has, each in its own words.

use serde::{Deserialize, Serialize};

/// An error, in the form of the protocol that is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// 429: too many requests.
    RateLimited {
        /// Seconds to wait, sent in the header `retry-after` when there are any.
        #[serde(default)]
        retry_after_s: Option<u64>,
    },
    /// 529 or 503: too much to do.
    Overloaded,
    /// 500: it failed inside.
    Internal,
    /// 400: the prompt does not fit. The Responses API says so inside of a stream that begins well.
    TooLong {
        /// Tokens of the prompt.
        tokens: u64,
        /// The most that the model takes.
        limit: u64,
    },
    /// 401: the key is wrong.
    Unauthorized,
    /// 404: there is no such model.
    NotFound,
}
