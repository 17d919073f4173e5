//! Requests to OpenAI's APIs, and which models a server has.

use serde_json::Value;
use throughline_completion::ModelError;

use crate::http::{Endpoint, HttpRequest, Key, Transport, model_names};
use crate::served_window::{Asked, ServedWindow};

/// The request that posts a body to a path of the API, for example `/chat/completions`.
pub(crate) fn post(endpoint: &Endpoint, path: &str, body: &Value) -> HttpRequest {
    let mut headers = headers(endpoint);
    headers.push(("content-type".to_owned(), Key::new("application/json")));
    HttpRequest { url: url(endpoint, path), headers, body: body.to_string().into() }
}

/// The names of the models that a server has, in its order. Proves that the address and the key are good, and costs
/// nothing.
///
/// # Errors
/// As for a request: [`ModelError::Unavailable`] when nothing answers, [`ModelError::Unauthorized`] for a key that is
/// refused, [`ModelError::InvalidRequest`] when what answers is no such API.
pub async fn served_models(
    endpoint: &Endpoint,
    transport: &dyn Transport,
) -> Result<Vec<String>, ModelError> {
    model_names("openai", transport, endpoint, get(endpoint, "/models")).await
}

/// Asks a server of OpenAI's API for the limits of a model. `None`: it does not describe the model.
///
/// # Errors
/// As for [`served_models`].
pub async fn served_window(
    endpoint: &Endpoint,
    transport: &dyn Transport,
    model: &str,
) -> Result<Option<ServedWindow>, ModelError> {
    let (headers, list) = (headers(endpoint), url(endpoint, "/models"));
    Asked { provider: "openai", endpoint, transport, headers, list }.listed(model).await
}

/// The request for what is at a path of the API.
fn get(endpoint: &Endpoint, path: &str) -> HttpRequest {
    HttpRequest::get(url(endpoint, path), headers(endpoint))
}

/// A server without a key is sent no `authorization` header. A gateway's own headers come last, so that they win.
fn headers(endpoint: &Endpoint) -> Vec<(String, Key)> {
    endpoint.bearer().into_iter().chain(endpoint.headers.iter().cloned()).collect()
}

/// The base URL has its version, as in OpenAI's own libraries: `https://api.openai.com/v1`. One without any path gets
/// `/v1`.
fn url(endpoint: &Endpoint, path: &str) -> String {
    let base = endpoint.base_url.trim_end_matches('/');
    let host_only = base.split_once("://").is_none_or(|(_, rest)| !rest.contains('/'));
    let version = if host_only { "/v1" } else { "" };
    format!("{base}{version}{path}")
}

#[cfg(test)]
mod tests;
