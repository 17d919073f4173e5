//! Requests to servers on the network.

use std::collections::BTreeMap;
use std::sync::Once;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Client, ClientBuilder, StatusCode, Url};
use throughline_text::error_chain;

/// Time limit for establishing a connection.
pub(crate) const CONNECT: Duration = Duration::from_secs(10);

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

/// Returns true if a header is the key that a login would be.
pub(crate) fn has_key(headers: &BTreeMap<String, String>) -> bool {
    headers.keys().any(|name| name.eq_ignore_ascii_case(AUTHORIZATION.as_str()))
}

/// Chooses the cryptography of TLS for this process.
pub(crate) fn install_provider() {
    static PROVIDER: Once = Once::new();
    // An error means that a provider is already installed.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
}

/// Redirects of one request that are followed.
const MAX_REDIRECTS: usize = 3;

/// Follows a redirect that repeats the request at the same server. At another one, the keys in its headers would be stolen.
pub(crate) fn same_server(attempt: Attempt<'_>) -> Action {
    let repeats = matches!(attempt.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    let is_same = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
    if repeats && is_same && attempt.previous().len() <= MAX_REDIRECTS {
        return attempt.follow();
    }
    let (status, mut url) = (attempt.status(), attempt.url().clone());
    url.set_query(None);
    attempt.error(format!("HTTP {status} names another address; if {url} is right, set it as the `url`"))
}

/// A client for this address.
///
/// # Errors
/// The TLS configuration cannot be used.
pub(crate) fn client(url: &str, redirects: Policy) -> Result<Client, reqwest::Error> {
    install_provider();
    let loopback = Url::parse(url).is_ok_and(|url| is_loopback(&url));
    match (loopback, url.starts_with("http://")) {
        // Loading the root certificates takes time, and plain HTTP on this machine needs none.
        (true, true) => builder().no_proxy().tls_certs_only([]),
        (true, false) => builder().no_proxy(),
        (false, _) => builder(),
    }
    .redirect(redirects)
    .build()
}

fn builder() -> ClientBuilder {
    Client::builder()
        .connect_timeout(CONNECT)
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
