//! Which providers are configured, and which models they serve.

use std::time::Duration;

use throughline_completion::ModelError;
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_providers::models::ModelRow;
use throughline_providers::ollama::Ollama;
use throughline_providers::{anthropic, gemini, openai};
use throughline_text::{error_chain, headline};

use crate::address::shown_address;
use crate::choice::{ModelChoice, Provider};
use crate::client::endpoint;
use crate::connect::model_table;
use crate::discovery::{DiscoveredProvider, KeySource, discover};

/// How long a provider may take to list its models.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum characters of a provider's error: what to do about it stands at its end.
pub(crate) const ERROR: usize = 400;

/// A configured provider and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatus {
    /// The provider.
    pub provider: Provider,
    /// Its address without secrets.
    pub address: String,
    /// Where its key comes from: a variable, `file`, `login` for a stored one, or `-` for no key.
    pub key: &'static str,
    /// The names of its models, or why it did not list them.
    pub models: Result<Vec<String>, String>,
}

/// The models of all configured providers that answer, with their limits and prices.
pub async fn offered_models(choice: &ModelChoice) -> Vec<ModelRow> {
    let Ok(table) = model_table() else { return Vec::new() };
    let mut rows = Vec::new();
    for status in provider_statuses(choice).await {
        // A provider that does not answer offers no models.
        let provider = status.provider.name();
        rows.extend(status.models.unwrap_or_default().iter().map(|name| table.find(provider, name)));
    }
    rows
}

/// Asks all configured providers for their models, in parallel.
pub async fn provider_statuses(choice: &ModelChoice) -> Vec<ProviderStatus> {
    let asking: Vec<_> = Provider::ALL
        .into_iter()
        .map(|provider| {
            let choice = choice.clone();
            tokio::spawn(async move { ask(&choice, provider).await })
        })
        .collect();
    let mut statuses = Vec::new();
    for one in asking {
        statuses.extend(one.await.ok().flatten());
    }
    statuses
}

/// Asks a provider, if the choice or the environment configures it.
async fn ask(choice: &ModelChoice, provider: Provider) -> Option<ProviderStatus> {
    // An address or a key file belongs only to the provider that it was given for.
    let wanted = if choice.named_provider() == Some(provider) {
        choice.clone()
    } else if provider == Provider::Compatible || provider == Provider::GeminiGca && !has_key(provider) {
        return None;
    } else {
        ModelChoice { provider: Some(provider), ..choice.for_any_provider() }
    };
    let address = shown_address(&wanted.base_url.clone().or_else(|| provider.address())?);
    let late = || format!("did not answer within {} seconds", TIMEOUT.as_secs());
    let found = match tokio::time::timeout(TIMEOUT, discover(&wanted)).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            let models = Err(headline(&error.text(), ERROR));
            return Some(ProviderStatus { provider, address, key: "-", models });
        }
        Err(_) => return Some(ProviderStatus { provider, address, key: "-", models: Err(late()) }),
    };
    let models = match tokio::time::timeout(TIMEOUT, served(&wanted, &found)).await {
        Ok(listed) => listed.map_err(|error| headline(&error, ERROR)),
        Err(_) => Err(late()),
    };
    let key = match found.source {
        KeySource::File => "file",
        KeySource::Stored => "login",
        KeySource::Environment => provider.key_variable().unwrap_or("-"),
        KeySource::None => "-",
    };
    Some(ProviderStatus { provider, address, key, models })
}

/// Returns true if the environment has a key for the provider.
fn has_key(provider: Provider) -> bool {
    provider.key_variable().is_some_and(|name| std::env::var_os(name).is_some())
}

/// The names of the models that a provider serves; an error as one line.
async fn served(choice: &ModelChoice, found: &DiscoveredProvider) -> Result<Vec<String>, String> {
    if !found.served.is_empty() {
        // Listed while connecting.
        return Ok(found.served.clone());
    }
    let endpoint = endpoint(choice, found).map_err(|error| error_chain(&error))?;
    match found.provider {
        Provider::GeminiGca => Err("Code Assist has no list of models; name one with --model".to_owned()),
        Provider::Ollama => {
            let server = Ollama::new(&endpoint).map_err(|error| error_chain(&error))?;
            let models = server.list().await.map_err(|error| error_chain(&error))?;
            Ok(models.into_iter().map(|model| model.name).collect())
        }
        provider => listed(provider, &endpoint).await.map_err(|error| error_chain(&error)),
    }
}

/// The names of the models that a provider of keyed APIs lists.
pub(crate) async fn listed(provider: Provider, endpoint: &Endpoint) -> Result<Vec<String>, ModelError> {
    let transport = ReqwestTransport::new(endpoint.timeouts);
    match provider {
        Provider::Anthropic => anthropic::served_models(endpoint, &transport).await,
        Provider::Gemini | Provider::GeminiGca => gemini::served_models(endpoint, &transport).await,
        Provider::Openai | Provider::Compatible | Provider::Ollama => {
            openai::served_models(endpoint, &transport).await
        }
    }
}
