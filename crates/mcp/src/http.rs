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

use crate::bounds;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);

/// A transport to this address. Redirects are not followed: headers with keys would go to somebody else.
///
/// # Errors
/// Why there is none, without anything secret.
pub(crate) fn transport(
    url: &str,
    headers: &BTreeMap<String, String>,
) -> Result<StreamableHttpClientTransport<Client>, String> {
    let custom = headers
        .iter()
        .map(|(name, value)| header(name, value))
        .collect::<Result<HashMap<HeaderName, HeaderValue>, String>>()?;
    let client = client(url).map_err(|error| error_chain(&error.without_url()))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(custom)
        .max_sse_event_size(bounds::MESSAGE);
    // The stream of notifications is opened again a few times; then a call finds out what is the matter.
    let mut again = ExponentialBackoff::default();
    again.max_times = Some(5);
    again.max_delay = Some(bounds::BACK_OFF);
    config.retry_config = Arc::new(again);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// A header as requests carry it.
///
/// # Errors
/// What is wrong, without the value.
pub(crate) fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), String> {
    let named = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| format!("in `headers`: {name:?} is no name of a header"))?;
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| format!("in `headers.{name}`: the value has characters that no header can carry"))?;
    value.set_sensitive(true);
    Ok((named, value))
}

/// Whether what is sent there can be read on the way.
pub(crate) fn is_open_to_others(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| url.scheme() == "http" && !is_loopback(&url))
}

/// What the network said, without the address: that may hold a key.
pub(crate) fn told(error: &reqwest::Error) -> String {
    let mut text = error_chain(error);
    while let Some((before, behind)) = text.split_once(" for url (") {
        let behind = behind.split_once(')').map_or("", |(_, behind)| behind);
        text = format!("{before}{behind}");
    }
    text
}

fn client(url: &str) -> Result<Client, reqwest::Error> {
    static PROVIDER: Once = Once::new();
    // An error means that the program has chosen a provider already, which is fine.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let here = Url::parse(url).is_ok_and(|url| is_loopback(&url));
    match (here, url.starts_with("http://")) {
        // Reading the system's certificates costs time, and a place on this machine needs none.
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
