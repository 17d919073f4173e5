//! A program without Ollama's client: no local server is asked.

use throughline_providers::http::Endpoint;

use crate::choice::Provider;
use crate::discovery::DiscoveredProvider;
use crate::error::ConnectError;

/// No server is asked, so none fails.
#[derive(Debug, thiserror::Error)]
pub enum OllamaError {}

/// None: there is no client.
pub async fn local_ollama() -> Option<DiscoveredProvider> {
    None
}

pub(crate) async fn ollama_models(_: &str) -> Result<Vec<String>, ConnectError> {
    Err(ConnectError::no_client(Provider::Ollama))
}

pub(crate) async fn native_context_length(
    _: &Endpoint,
    _: &str,
) -> Result<(Option<u64>, Option<String>), ConnectError> {
    Err(ConnectError::no_client(Provider::Ollama))
}

pub(crate) fn is_unreachable(error: &OllamaError) -> bool {
    match *error {}
}

pub(crate) fn is_absent(error: &OllamaError) -> bool {
    match *error {}
}
