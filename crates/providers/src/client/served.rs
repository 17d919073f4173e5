//! Which models a provider serves.

use bytes::Bytes;
use serde_json::Value;
use throughline_completion::ModelError;

use super::{Endpoint, HttpRequest, Key, Transport, json};
use crate::anthropic;
use crate::openai::api_base;

/// How a provider lists its models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Anthropic's Models API.
    Anthropic,
    /// OpenAI's Models API, which nearly every compatible server speaks too.
    OpenAi,
}

/// The names of the models that a provider serves, in its order. It proves that the address and the key are good,
/// and costs nothing.
///
/// # Errors
/// As for a request: [`ModelError::Unavailable`] when nobody answers, [`ModelError::Unauthorized`] for a key that is
/// refused, [`ModelError::InvalidRequest`] when what answers is no such API.
pub async fn served_models(
    dialect: Dialect,
    endpoint: &Endpoint,
    transport: &dyn Transport,
) -> Result<Vec<String>, ModelError> {
    let (provider, url) = match dialect {
        // One page holds all of them: the API gives 20 when nothing is said, and 1,000 at most.
        Dialect::Anthropic => ("anthropic", endpoint.url("/v1", "/models?limit=1000")),
        Dialect::OpenAi => ("openai", format!("{}/models", api_base(&endpoint.base_url))),
    };
    let request = HttpRequest { url, headers: headers(dialect, endpoint), body: Bytes::new() };
    let answer = json(provider, transport, endpoint, request).await?;
    let list = answer.get("data").and_then(Value::as_array).ok_or_else(|| ModelError::InvalidRequest {
        message: "the list of models has no `data`; check the base URL".to_owned(),
    })?;
    let name = |model: &Value| model.get("id").and_then(Value::as_str).map(str::to_owned);
    Ok(list.iter().filter_map(name).collect())
}

fn headers(dialect: Dialect, endpoint: &Endpoint) -> Vec<(String, Key)> {
    match dialect {
        Dialect::Anthropic => anthropic::headers(endpoint),
        Dialect::OpenAi => endpoint.bearer().into_iter().chain(endpoint.headers.iter().cloned()).collect(),
    }
}
