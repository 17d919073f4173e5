//! Connections to servers on the network.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use throughline_text::error_chain;

use crate::access::Access;
use crate::http_client::HttpClient;
use crate::{http, limits};

/// Creates a transport to this URL, whose requests have the token of a login. Only redirects at the same server are followed, because headers with keys and tokens would go to another one.
///
/// # Errors
/// Why it cannot be created, without secrets.
pub(crate) fn transport(
    url: &str,
    headers: &BTreeMap<String, String>,
    access: Option<Arc<Access>>,
) -> Result<StreamableHttpClientTransport<HttpClient>, String> {
    let custom = headers
        .iter()
        .map(|(name, value)| http::header(name, value))
        .collect::<Result<HashMap<HeaderName, HeaderValue>, String>>()?;
    let client = http::client(url, Policy::custom(http::same_server))
        .map_err(|error| error_chain(&error.without_url()))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(custom)
        .max_sse_event_size(limits::MESSAGE);
    // The notification stream is reopened a few times; after that the next call reports the problem.
    let mut retry = ExponentialBackoff::default();
    retry.max_times = Some(5);
    retry.max_delay = Some(limits::BACK_OFF);
    config.retry_config = Arc::new(retry);
    Ok(StreamableHttpClientTransport::with_client(HttpClient::new(client, access), config))
}
