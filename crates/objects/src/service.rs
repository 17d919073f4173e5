//! The network of the crate `object_store`, by the client that the providers have.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use throughline_providers::http::ReqwestTransport;

/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// Bytes that are sent in a second at least.
const SLOWEST: u64 = 64 * 1024;

/// Sends requests with the providers' client, which knows proxies, the roots of the system and loopback addresses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connector(Arc<ReqwestTransport>);

#[derive(Debug)]
struct Service(Arc<ReqwestTransport>);

#[derive(Debug, thiserror::Error)]
#[error("the server was silent for {} seconds", .0.as_secs())]
struct Silent(Duration);

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(Service(Arc::clone(&self.0))))
    }
}

#[async_trait]
impl HttpService for Service {
    /// The whole answer is read here, so that one that breaks off is asked for again.
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let url = parts.uri.to_string();
        let sending = SILENCE + Duration::from_secs(body.len() as u64 / SLOWEST);
        let request = self.0.client(&url).request(parts.method, &url).headers(parts.headers).body(body);
        let mut response = within(sending, request.send()).await?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let mut bytes = Vec::with_capacity(response.content_length().unwrap_or(0).min(1 << 24) as usize);
        while let Some(chunk) = within(SILENCE, response.chunk()).await? {
            bytes.extend_from_slice(&chunk);
        }
        let mut answer = HttpResponse::new(bytes.into());
        *answer.status_mut() = status;
        *answer.headers_mut() = headers;
        Ok(answer)
    }
}

async fn within<T>(
    time: Duration,
    work: impl Future<Output = Result<T, reqwest::Error>> + Send,
) -> Result<T, HttpError> {
    match tokio::time::timeout(time, work).await {
        Ok(done) => done.map_err(|error| {
            let kind = match () {
                () if error.is_connect() => HttpErrorKind::Connect,
                () if error.is_timeout() => HttpErrorKind::Timeout,
                () if error.is_builder() => HttpErrorKind::Unknown,
                () => HttpErrorKind::Interrupted,
            };
            HttpError::new(kind, error.without_url())
        }),
        Err(_) => Err(HttpError::new(HttpErrorKind::Timeout, Silent(time))),
    }
}
