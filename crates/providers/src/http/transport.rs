//! The port to the network.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;
use futures_core::stream::BoxStream;

use super::Key;

/// A `POST` with a JSON body, or a `GET`.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// The whole address.
    pub url: String,
    /// All headers but `content-length` and `host`. Every value is treated as a secret.
    pub headers: Vec<(String, Key)>,
    /// The body, verbatim. Empty: the request is a `GET`.
    pub body: Bytes,
}

impl HttpRequest {
    /// A `GET`.
    #[must_use]
    pub fn get(url: String, headers: Vec<(String, Key)>) -> Self {
        Self { url, headers, body: Bytes::new() }
    }
}

/// The response: its head, and its body as it comes.
pub struct HttpAnswer {
    /// HTTP status.
    pub status: u16,
    /// Header `content-type`; empty when it is missing.
    pub content_type: String,
    /// Header `retry-after`.
    pub retry_after: Option<String>,
    /// Header `retry-after-ms`: the same in milliseconds.
    pub retry_after_ms: Option<String>,
    /// Header `x-should-retry`: `false` if sending again does not help.
    pub should_retry: Option<String>,
    /// Header `request-id` or `x-request-id`.
    pub request_id: Option<String>,
    /// Header `location`, of a redirect.
    pub location: Option<String>,
    /// The body, decoded from its transfer encoding. Dropping it gives up the rest.
    pub body: BoxStream<'static, Result<Bytes, TransportError>>,
}

impl fmt::Debug for HttpAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpAnswer")
            .field("status", &self.status)
            .field("content_type", &self.content_type)
            .field("retry_after", &self.retry_after)
            .field("request_id", &self.request_id)
            .finish_non_exhaustive()
    }
}

/// Why no response, or only a part, was received.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// No connection: nothing listens, the name is unknown, TLS failed.
    #[error("no connection: {message}")]
    Unreachable {
        /// The cause, in one line.
        message: String,
    },
    /// No connection, or no response, in time.
    #[error("no answer in time: {message}")]
    TimedOut {
        /// The cause, in one line.
        message: String,
    },
    /// The connection broke after the request was sent.
    #[error("the connection broke: {message}")]
    Broken {
        /// The cause, in one line.
        message: String,
    },
    /// The response is compressed, although that was not asked for.
    #[error("the response has the encoding {encoding}, which was not asked for")]
    Encoded {
        /// The encoding.
        encoding: String,
    },
    /// The request could not be sent at all, for example because a header cannot be written.
    #[error("the request could not be sent")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Sends requests to providers.
///
/// # Contract
/// - MUST send the request exactly once, and MUST NOT follow redirects: the key would go to another server.
/// - MUST give every response that has a status as an answer, whatever the status.
/// - MUST give the body piece by piece as it comes, pulled by the reader, and MUST close the connection or stop the
///   work when the body, or the future of [`Transport::send`], is dropped before its end.
/// - MUST NOT put a header's value or the body into errors, logs or `Debug` output.
///
/// # When it fails
/// The request fails as one that may be sent again. A body that breaks fails the answer: no part of it is used.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends the request and waits for the head of the response.
    async fn send(&self, request: HttpRequest) -> Result<HttpAnswer, TransportError>;
}

const _: Option<&dyn Transport> = None;
