//! Downloads of models with Ollama.

use throughline_config::Config;
use throughline_providers::ollama::{Ollama, OllamaError, PullProgress};

use crate::choice::{ModelChoice, Provider};
use crate::client::endpoint;
use crate::discovery::discover;
use crate::error::ConnectError;

/// Why a model was not downloaded.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// The server is not known, or cannot be reached.
    #[error("{}", .0.text())]
    Connect(#[from] ConnectError),
    /// Ollama refused, or broke off.
    #[error(transparent)]
    Ollama(#[from] OllamaError),
}

/// Downloads a model, or what is new of it, from the server with this address; `None`: the one of the settings, else the local
/// one. The next download continues where one was stopped.
///
/// # Errors
/// The server cannot be reached, or has no model of this name.
pub async fn pull_model(
    name: &str,
    base_url: Option<String>,
    config: &Config,
    on_progress: impl FnMut(PullProgress) + Send,
) -> Result<(), PullError> {
    let asked = ModelChoice {
        provider: Some(Provider::Ollama),
        model: Some(name.to_owned()),
        base_url,
        ..ModelChoice::default()
    };
    let asked = asked.completed(config);
    let found = discover(&asked).await?;
    Ok(Ollama::new(&endpoint(&asked, &found)?)?.pull(name, on_progress).await?)
}
