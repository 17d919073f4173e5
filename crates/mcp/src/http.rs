//! Servers on the network.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Once};
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, ClientBuilder, Url, redirect};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use throughline_text::error_chain;

use crate::http_client::HttpClient;
use crate::limits;

/// Time limit for establishing a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// Creates a transport to this URL. Redirects are not followed, because headers with keys would go to another host.
///
/// # Errors
/// Why it cannot be created, without secrets.
pub(crate) fn transport(
    url: &str,
    headers: &BTreeMap<String, String>,
) -> Result<StreamableHttpClientTransport<HttpClient>, String> {
    let custom = headers
        .iter()
        .map(|(name, value)| header(name, value))
        .collect::<Result<HashMap<HeaderName, HeaderValue>, String>>()?;
    let client = client(url).map_err(|error| error_chain(&error.without_url()))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(custom)
        .max_sse_event_size(limits::MESSAGE);
    // The notification stream is reopened a few times; after that the next call reports the problem.
    let mut retry = ExponentialBackoff::default();
    retry.max_times = Some(5);
    retry.max_delay = Some(limits::BACK_OFF);
    config.retry_config = Arc::new(retry);
    Ok(StreamableHttpClientTransport::with_client(HttpClient::new(client), config))
}

/// Parses a header.
///
/// # Errors
/// What is wrong with it, without the value.
pub(crate) fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), String> {
    let named = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| format!("in `headers`: {name:?} is not a valid header name"))?;
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| format!("in `headers.{name}`: the value has characters that a header cannot contain"))?;
    value.set_sensitive(true);
    Ok((named, value))
}

/// Returns true if requests cross the network unencrypted.
pub(crate) fn is_unencrypted(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| url.scheme() == "http" && !is_loopback(&url))
}

/// Describes a network error without its URL, which may contain a key.
pub(crate) fn describe(error: &reqwest::Error) -> String {
    let mut text = error_chain(error);
    while let Some((before, after)) = text.split_once(" for url (") {
        let after = after.split_once(')').map_or("", |(_, after)| after);
        text = format!("{before}{after}");
    }
    text
}

fn client(url: &str) -> Result<Client, reqwest::Error> {
    static PROVIDER: Once = Once::new();
    // An error means that a provider is already installed.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let loopback = Url::parse(url).is_ok_and(|url| is_loopback(&url));
    match (loopback, url.starts_with("http://")) {
        // Loading the root certificates takes time, and plain HTTP on this machine needs none.
        (true, true) => builder().no_proxy().tls_certs_only([]).build(),
        (true, false) => builder().no_proxy().build(),
        (false, _) => builder().build(),
    }
}

fn builder() -> ClientBuilder {
    Client::builder()
        .connect_timeout(CONNECT)
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .user_agent(concat!("throughline/", env!("CARGO_PKG_VERSION")))
}

fn is_loopback(url: &Url) -> bool {
    let bare = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<std::net::IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
    }
}
