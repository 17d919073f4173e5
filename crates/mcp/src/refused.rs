//! Requests that a network server has answered with an HTTP status in place of a message.

use std::time::Duration;

use rmcp::transport::AuthError;
use rmcp::transport::streamable_http_client::{HttpStatusError, StreamableHttpError};

use crate::limits;

/// What a server needs that refuses a request without a key.
const KEY_REQUIRED: &str = "it requires a valid key; set it in `headers`, for example as `Authorization`";

/// The status of too many requests.
const TOO_MANY: u16 = 429;

/// Why a server has not taken a request; `None`: it may have taken it.
pub(crate) fn refused(error: &StreamableHttpError<reqwest::Error>) -> Option<String> {
    match error {
        StreamableHttpError::HttpStatus(HttpStatusError { status: TOO_MANY, retry_after, .. }) => {
            let after = retry_after
                .as_deref()
                .map_or_else(String::new, |after| format!("; it says: retry after {after}"));
            Some(format!("HTTP 429 Too Many Requests{after}"))
        }
        StreamableHttpError::UnexpectedServerResponse(said) if said.starts_with("HTTP 4") => {
            Some(said.trim_end_matches([':', ' ']).to_owned())
        }
        other => needs_key(other),
    }
}

/// Which key a server needs that has not taken a message; `None`: it is for another reason.
pub(crate) fn needs_key(error: &StreamableHttpError<reqwest::Error>) -> Option<String> {
    match error {
        StreamableHttpError::Auth(AuthError::AuthorizationFailed(why)) => Some(why.clone()),
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            Some(KEY_REQUIRED.to_owned())
        }
        _ => None,
    }
}

/// How long to wait before a request that was not taken is made once more, where the server says so and it is short.
pub(crate) fn wait(status: &HttpStatusError) -> Option<Duration> {
    let seconds = status.retry_after.as_deref().filter(|_| status.status == TOO_MANY)?;
    let wait = Duration::from_secs(seconds.trim().parse().ok()?);
    (wait <= limits::RETRY_AFTER).then_some(wait)
}
