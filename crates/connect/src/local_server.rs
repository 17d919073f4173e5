//! What an Ollama is asked before there is a session: its models, and what window they have.

use std::time::Duration;

use throughline_providers::http::Endpoint;
use throughline_providers::ollama::Ollama;
pub(crate) use throughline_providers::ollama::OllamaError;
use throughline_text::error_chain;

use crate::choice::Provider;
use crate::discovery::{DiscoveredProvider, KeySource};
use crate::error::ConnectError;

/// How long a local server may take to answer.
const OLLAMA_TIMEOUT: Duration = Duration::from_millis(400);

/// The Ollama of this machine, if one answers.
pub async fn local_ollama() -> Option<DiscoveredProvider> {
    let provider = Provider::Ollama;
    let base_url = provider.address()?;
    let server = Ollama::new(&Endpoint::new(&base_url).ok()?).ok()?;
    let listed = tokio::time::timeout(OLLAMA_TIMEOUT, server.list()).await.ok()?.ok()?;
    let served = listed.into_iter().map(|model| model.name).collect();
    Some(DiscoveredProvider { provider, base_url, key: None, source: KeySource::None, served })
}

/// The models of an Ollama, newest first.
pub(crate) async fn ollama_models(base_url: &str) -> Result<Vec<String>, ConnectError> {
    let address = |source| ConnectError::Address { provider: Provider::Ollama.name(), source };
    let server = Ollama::new(&Endpoint::new(base_url).map_err(address)?).map_err(ConnectError::Models)?;
    let listed = server.list().await.map_err(ConnectError::Models)?;
    Ok(listed.into_iter().map(|model| model.name).collect())
}

/// The native context length of a model in tokens, if its Ollama reports it, else a note why not. A server that does not
/// describe its models is good enough; one that is unreachable, or does not have the model, is an error.
pub(crate) async fn native_context_length(
    endpoint: &Endpoint,
    name: &str,
) -> Result<(Option<u64>, Option<String>), ConnectError> {
    let asked = async { Ollama::new(endpoint)?.show(name).await };
    match asked.await {
        Ok(info) => Ok((info.context_length, None)),
        Err(error) if is_absent(&error) => Err(ConnectError::Ollama(error)),
        Err(error) => {
            let why = error_chain(&error);
            Ok((None, Some(format!("what window {name} was made for is not known: {why}"))))
        }
    }
}

/// Returns true if the server does not answer.
pub(crate) fn is_unreachable(error: &OllamaError) -> bool {
    matches!(error, OllamaError::Unreachable { .. } | OllamaError::TimedOut { .. })
}

/// Returns true if the server, or the model on it, does not exist. Any other failure to give a detail need not keep the
/// model from answering.
pub(crate) fn is_absent(error: &OllamaError) -> bool {
    is_unreachable(error) || matches!(error, OllamaError::NoSuchModel { .. })
}
