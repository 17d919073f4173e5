//! The network by way of anthropic-sdk-rust.

use std::fmt;
use std::time::Duration;

use anthropic_sdk::http::{AuthHandler, HttpClient};
use anthropic_sdk::{AuthMethod, ClientConfig, LogLevel};
use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt};
use throughline_text::error_chain;

use crate::http::{Endpoint, HttpAnswer, HttpRequest, Key, Transport, TransportError, headers, host};

/// Longer than any answer: the SDK's only time limit covers the whole of it.
const WHOLE_ANSWER: Duration = Duration::from_secs(24 * 60 * 60);

/// Sends requests to Anthropic with the configuration, the authentication and the connection of anthropic-sdk-rust;
/// body and stream are this crate's own.
///
/// Limits of the SDK:
///
/// - TLS is the system's (OpenSSL on Linux), not rustls.
/// - It follows redirects, and headers such as `x-api-key` go along. An answer that came from another host is
///   refused, but the key has been there: [`ReqwestTransport`](crate::http::ReqwestTransport) does not go.
/// - There is no limit for the connection alone; the one for the first byte covers it.
/// - Proxies of the environment are used for this very machine too, unless `NO_PROXY` names it.
/// - It keeps the key as plain text in memory, and does not wipe it.
/// - It knows no requests without a key, so authentication is left out by hand for those.
pub struct AnthropicSdkTransport {
    http: HttpClient,
    auth: Option<Key>,
}

impl fmt::Debug for AnthropicSdkTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The SDK's own would show the key.
        f.debug_struct("AnthropicSdkTransport").finish_non_exhaustive()
    }
}

impl AnthropicSdkTransport {
    /// A transport for the base URL and the key of this endpoint.
    ///
    /// # Errors
    /// [`TransportError::Other`] when the SDK refuses the configuration, or TLS cannot be set up.
    pub fn new(endpoint: &Endpoint) -> Result<Self, TransportError> {
        // The SDK wants a key even where none is sent.
        let key = endpoint.key.as_ref().map_or("none", Key::expose);
        let config = ClientConfig::new(key)
            .with_base_url(endpoint.base_url.as_str())
            .with_auth_method(AuthMethod::Anthropic)
            .with_timeout(WHOLE_ANSWER)
            .with_max_retries(0)
            .with_log_level(LogLevel::Off);
        // `HttpClient` rather than `Anthropic`: that one installs a logger for the whole process.
        let http = HttpClient::new(config)
            .map_err(|error| TransportError::Other(endpoint.redact(&error_chain(&error)).into()))?;
        Ok(Self { http, auth: endpoint.key.clone() })
    }
}

#[async_trait]
impl Transport for AnthropicSdkTransport {
    async fn send(&self, request: HttpRequest) -> Result<HttpAnswer, TransportError> {
        let headers = headers(&request.headers)?;
        // The SDK's errors are not passed on: some of them show their input.
        let built = match request.body.is_empty() {
            true => self.http.get(&request.url),
            false => self.http.post(&request.url).body(request.body),
        };
        let mut built = built.build().map_err(|_| unsendable())?;
        if let Some(key) = &self.auth {
            AuthHandler::with_method(key.expose().to_owned(), AuthMethod::Anthropic)
                .add_auth_headers(built.headers_mut())
                .map_err(|_| unsendable())?;
        }
        for (name, value) in &headers {
            if self.auth.is_none() || name != "x-api-key" {
                built.headers_mut().insert(name, value.clone());
            }
        }
        let asked = host(&request.url);
        let response = match self.http.client().execute(built).await {
            Ok(response) => response,
            Err(error) => {
                let error = error.without_url();
                let message = error_chain(&error);
                return Err(if error.is_builder() {
                    TransportError::Other(message.into())
                } else if error.is_timeout() {
                    TransportError::TimedOut { message }
                } else if error.is_connect() {
                    TransportError::Unreachable { message }
                } else {
                    TransportError::Broken { message }
                });
            }
        };
        let answered = host(response.url().as_str());
        if answered != asked {
            let says = format!(
                "{asked} redirected to {answered}, and the key went along: replace the key, and set the base URL to the address that answers"
            );
            return Err(TransportError::Other(says.into()));
        }
        let field = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        Ok(HttpAnswer {
            status: response.status().as_u16(),
            content_type: field("content-type").unwrap_or_default(),
            retry_after: field("retry-after"),
            retry_after_ms: field("retry-after-ms"),
            should_retry: field("x-should-retry"),
            request_id: field("request-id"),
            location: field("location"),
            body: response
                .bytes_stream()
                .map_err(|error| TransportError::Broken { message: error_chain(&error.without_url()) })
                .boxed(),
        })
    }
}

fn unsendable() -> TransportError {
    TransportError::Other("a header has characters that no header can carry; check the key".into())
}
