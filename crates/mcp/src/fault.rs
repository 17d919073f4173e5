//! What a network server says when it answers with a fault of its own. The SDK has only the status.

use std::collections::HashMap;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, StatusCode};
use rmcp::model::ClientJsonRpcMessage;
use throughline_text::first_chars;

use crate::http;

/// Maximum characters of it.
const SHOWN: usize = 300;

/// Maximum bytes of it that are read.
const READ: usize = 4 * 1024;

/// The status for a person: `HTTP 503 Service Unavailable`.
pub(crate) fn status_text(status: u16) -> String {
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    reason.map_or_else(|| format!("HTTP {status}"), |reason| format!("HTTP {status} {reason}"))
}

/// Sends a message again that a server has answered with a fault, and reads what it says. For the first message alone: repeating
/// it does nothing twice. `None`: there are no words for a person, or no fault now. May contain secrets.
///
/// # Errors
/// It cannot be sent.
pub(crate) async fn words(
    client: &Client,
    url: &str,
    message: &ClientJsonRpcMessage,
    token: Option<String>,
    headers: HashMap<HeaderName, HeaderValue>,
) -> Result<Option<String>, reqwest::Error> {
    let request = client.post(url).header(ACCEPT, "application/json, text/event-stream");
    let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
    let request = token.into_iter().fold(request, reqwest::RequestBuilder::bearer_auth);
    let mut answer = request.json(message).timeout(http::CONNECT).send().await?;
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !answer.status().is_server_error() || kind.starts_with("text/html") {
        return Ok(None);
    }
    let status = status_text(answer.status().as_u16());
    let mut body = Vec::new();
    while body.len() < READ
        && let Some(part) = answer.chunk().await?
    {
        body.extend_from_slice(&part);
    }
    let said = String::from_utf8_lossy(&body);
    let said = first_chars(said.trim(), SHOWN);
    Ok((!said.is_empty()).then(|| format!("{status}: {said}")))
}
