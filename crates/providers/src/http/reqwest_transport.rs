//! The network by way of reqwest and rustls.

use std::fmt;
use std::sync::{Once, OnceLock};

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, ClientBuilder, redirect};
use throughline_text::error_chain;

use super::endpoint::{Timeouts, is_loopback};
use super::{HttpAnswer, HttpRequest, Key, Transport, TransportError};

/// Sends requests with reqwest: HTTP/1.1 or 2, TLS by rustls with the roots of the operating system, connections
/// reused for the next request, no redirects, no retries.
///
/// Proxies are taken from the environment (`HTTPS_PROXY`, `NO_PROXY`, …), except for addresses of this
/// machine. Cheap to share; one is enough for all providers.
pub struct ReqwestTransport {
    timeouts: Timeouts,
    /// Built at first use: reading the roots costs time, and a program that only talks to this machine needs none.
    proxied: OnceLock<Client>,
    direct: OnceLock<Client>,
    /// Without roots, for `http` to this machine.
    plain: OnceLock<Client>,
}

impl fmt::Debug for ReqwestTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A client would show its proxies, and those may hold passwords.
        f.debug_struct("ReqwestTransport").field("timeouts", &self.timeouts).finish_non_exhaustive()
    }
}

impl ReqwestTransport {
    /// A transport that waits this long for a connection; the other waits are the caller's.
    #[must_use]
    pub fn new(timeouts: Timeouts) -> Self {
        Self { timeouts, proxied: OnceLock::new(), direct: OnceLock::new(), plain: OnceLock::new() }
    }

    /// The client for a URL, for requests that are not those of a model.
    pub fn client(&self, url: &str) -> &Client {
        match (is_loopback(url), url.starts_with("http://")) {
            (true, true) => self.plain.get_or_init(|| build(|| self.builder().no_proxy().tls_certs_only([]))),
            (true, false) => self.direct.get_or_init(|| build(|| self.builder().no_proxy())),
            // A proxy may speak TLS whatever the address says.
            (false, _) => self.proxied.get_or_init(|| build(|| self.builder())),
        }
    }

    fn builder(&self) -> ClientBuilder {
        Client::builder()
            .connect_timeout(self.timeouts.connect)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .user_agent(concat!("throughline/", env!("CARGO_PKG_VERSION")))
    }
}

impl Default for ReqwestTransport {
    fn default() -> Self {
        Self::new(Timeouts::default())
    }
}

/// Builds a client; on a machine without root certificates one that reaches plain `http` only.
fn build(builder: impl Fn() -> ClientBuilder) -> Client {
    static PROVIDER: Once = Once::new();
    // An error means that the program has chosen a provider already, which is fine.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    builder().build().unwrap_or_else(|error| {
        tracing::warn!(
            "https will not work ({}); install the system's CA certificates",
            error_chain(&error.without_url())
        );
        builder().tls_certs_only([]).build().unwrap_or_default()
    })
}

#[async_trait]
impl Transport for ReqwestTransport {
    async fn send(&self, request: HttpRequest) -> Result<HttpAnswer, TransportError> {
        let headers = headers(&request.headers)?;
        let client = self.client(&request.url);
        let built = match request.body.is_empty() {
            true => client.get(&request.url),
            false => client.post(&request.url).body(request.body),
        };
        let response = built.headers(headers).send().await.map_err(before_the_answer)?;
        let field = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let encoding = field("content-encoding").filter(|name| name != "identity");
        if let (Some(encoding), true) = (&encoding, response.status().is_success()) {
            return Err(TransportError::Encoded { encoding: encoding.clone() });
        }
        Ok(HttpAnswer {
            status: response.status().as_u16(),
            content_type: field("content-type").unwrap_or_default(),
            retry_after: field("retry-after").or_else(|| limit_ends(field)),
            retry_after_ms: field("retry-after-ms"),
            should_retry: field("x-should-retry"),
            request_id: field("request-id").or_else(|| field("x-request-id")),
            location: field("location"),
            body: match encoding {
                None => response.bytes_stream().map_err(in_the_answer).boxed(),
                // The status of a failure says enough; its words cannot be read.
                Some(_) => stream::empty().boxed(),
            },
        })
    }
}

/// When the limit of an account of Anthropic ends, if it is reached: a moment in seconds since 1970.
fn limit_ends(field: impl Fn(&str) -> Option<String>) -> Option<String> {
    let status = field("anthropic-ratelimit-unified-status")?;
    field("anthropic-ratelimit-unified-reset").filter(|_| status == "rejected")
}

/// Headers as the libraries want them. Of two with one name the later counts.
pub(crate) fn headers(pairs: &[(String, Key)]) -> Result<HeaderMap, TransportError> {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let name =
            HeaderName::from_bytes(name.as_bytes()).map_err(|error| TransportError::Other(error.into()))?;
        let mut value = HeaderValue::from_str(value.expose()).map_err(|_| {
            // The library's error is not passed on, so that no version of it can show the value.
            let says =
                format!("the value of header {name} has characters that no header can carry; check the key");
            TransportError::Other(says.into())
        })?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

/// Checks that headers can be sent.
///
/// # Errors
/// The reason why not, without any value.
pub(crate) fn sendable(pairs: &[(String, Key)]) -> Result<(), String> {
    headers(pairs).map(drop).map_err(|error| match error {
        TransportError::Other(why) => why.to_string(),
        other => other.to_string(),
    })
}

fn before_the_answer(error: reqwest::Error) -> TransportError {
    let error = error.without_url();
    let message = error_chain(&error);
    if error.is_builder() {
        TransportError::Other(message.into())
    } else if error.is_timeout() {
        TransportError::TimedOut { message }
    } else if error.is_connect() {
        TransportError::Unreachable { message }
    } else {
        TransportError::Broken { message }
    }
}

fn in_the_answer(error: reqwest::Error) -> TransportError {
    TransportError::Broken { message: error_chain(&error.without_url()) }
}

#[cfg(test)]
mod tests;
