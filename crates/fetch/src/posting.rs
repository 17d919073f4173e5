//! Sends an object to an address.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::host_lookup::SystemLookup;
use crate::page::post;
use crate::policy::FetchPolicy;
use crate::target;

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// The status of HTTP.
    pub status: u16,
    /// The text, up to the limit of the policy.
    pub body: String,
}

/// Sends a JSON text by POST, with these headers. A redirect is not followed.
///
/// # Errors
/// Why there is no answer, in a sentence. It never has the value of a header.
pub async fn post_json(
    url: &str,
    headers: &[(String, String)],
    body: String,
    policy: &FetchPolicy,
) -> Result<Posted, String> {
    let url = target::parse(url)?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let wrong = || format!("{name:?} and its value are no header of HTTP.");
        let name = HeaderName::try_from(name.as_str()).map_err(|_| wrong())?;
        let mut value = HeaderValue::try_from(value.as_str()).map_err(|_| wrong())?;
        value.set_sensitive(true);
        map.insert(name, value);
    }
    let sent = tokio::time::timeout(policy.time, post(url, map, body, policy, &SystemLookup)).await;
    let page = sent.map_err(|_| format!("No answer came within {} s.", policy.time.as_secs_f64()))??;
    Ok(Posted { status: page.status, body: String::from_utf8_lossy(&page.body).into_owned() })
}
