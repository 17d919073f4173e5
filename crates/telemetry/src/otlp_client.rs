//! Requests to the collector, by the transport that the providers use.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use throughline_providers::http::{HttpAnswer, HttpRequest, Key, Transport, TransportError};
use tokio::runtime::Handle;

/// Maximum bytes of an answer that are read. An answer says little more than that the request arrived.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Sends requests on the runtime of the program. The threads of the exporters have none.
#[derive(Debug, Clone)]
pub(crate) struct OtlpClient {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) runtime: Handle,
    /// Time for one request.
    pub(crate) timeout: Duration,
    pub(crate) delivery: Delivery,
}

/// Whether the last request of a signal arrived.
#[derive(Debug, Clone, Default)]
pub(crate) struct Delivery(Arc<Mutex<Option<String>>>);

impl Delivery {
    /// Why the last request did not arrive; `None`: it did, or nothing was sent yet.
    pub(crate) fn problem(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, problem: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum SendError {
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error("no answer in {} ms", .0.as_millis())]
    Late(Duration),
    #[error("the program ended first")]
    Ended,
}

#[async_trait]
impl HttpClient for OtlpClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (transport, limit) = (Arc::clone(&self.transport), self.timeout);
        let sending = self.runtime.spawn(async move {
            let exchanged = tokio::time::timeout(limit, exchange(transport.as_ref(), request)).await;
            exchanged.unwrap_or(Err(SendError::Late(limit)))
        });
        let response = sending.await.unwrap_or(Err(SendError::Ended));
        self.delivery.set(match &response {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(format!("the collector answers with status {}", response.status().as_u16())),
            Err(error) => Some(error.to_string()),
        });
        Ok(response?)
    }
}

async fn exchange(transport: &dyn Transport, request: Request<Bytes>) -> Result<Response<Bytes>, SendError> {
    let (head, body) = request.into_parts();
    let headers = head.headers.iter().filter_map(|(name, value)| {
        // A header that is no text was refused when the variables were read.
        Some((name.as_str().to_owned(), Key::new(value.to_str().ok()?)))
    });
    let request = HttpRequest { url: head.uri.to_string(), headers: headers.collect(), body };
    let HttpAnswer { status, retry_after, mut body, .. } = transport.send(request).await?;
    let mut read = BytesMut::new();
    while let Some(piece) = body.next().await {
        let piece = piece?;
        read.extend_from_slice(piece.get(..MAX_ANSWER_BYTES.saturating_sub(read.len())).unwrap_or(&piece));
        if read.len() >= MAX_ANSWER_BYTES {
            break;
        }
    }
    let mut answer = Response::builder().status(status);
    if let Some(retry_after) = retry_after {
        answer = answer.header("retry-after", retry_after);
    }
    answer.body(read.freeze()).map_err(|error| TransportError::Other(error.into()).into())
}
