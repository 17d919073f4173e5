//! The client of a provider: its endpoint, its token counter and the model behind them.

use std::sync::Arc;
use std::time::Duration;

use throughline_budget::ScriptAwareEstimator;
use throughline_completion::LanguageModel;
use throughline_conversation::TokenCounter;
#[cfg(feature = "anthropic")]
use throughline_providers::anthropic::AnthropicModel;
#[cfg(feature = "gemini")]
use throughline_providers::gemini::{CodeAssist, GeminiModel};
#[cfg(any(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai"))]
use throughline_providers::http::ReqwestTransport;
#[cfg(feature = "anthropic")]
use throughline_providers::http::Transport;
use throughline_providers::http::{Endpoint, Key, Timeouts};
#[cfg(feature = "openai")]
use throughline_providers::models::Known;
use throughline_providers::models::{ModelRow, Tokenizer};
#[cfg(feature = "ollama")]
use throughline_providers::ollama::OllamaModel;
#[cfg(feature = "openai")]
use throughline_providers::openai_chat::OpenAiChatModel;
#[cfg(feature = "openai")]
use throughline_providers::openai_responses::OpenAiResponsesModel;
#[cfg(feature = "tokens")]
use throughline_providers::tokens::DeferredCounter;
#[cfg(feature = "openai")]
use throughline_wire::Effort;
#[cfg(feature = "openai")]
use throughline_wire::openai::OpenAiOptions;

#[cfg(feature = "openai")]
use crate::choice::Api;
#[cfg(feature = "anthropic")]
use crate::choice::ModelTransport;
use crate::choice::{ModelChoice, Provider};
use crate::discovery::{DiscoveredProvider, KeySource};
use crate::error::ConnectError;

/// Bytes that a session may have before its tokens are counted exactly: below, no threshold is near, and the tables
/// of a tokenizer cost more memory than all else.
#[cfg(feature = "tokens")]
const EXACT_FROM_BYTES: u64 = 48 * 1024;

/// The endpoint of a provider, with its key, the headers of the choice and its timeouts.
///
/// # Errors
/// The address or a header cannot be used.
pub fn endpoint(choice: &ModelChoice, found: &DiscoveredProvider) -> Result<Endpoint, ConnectError> {
    let address = |source| ConnectError::Address { provider: found.provider.name(), source };
    let mut endpoint = Endpoint::new(&found.base_url).map_err(address)?;
    if let Some(key) = &found.key {
        endpoint = endpoint.with_key(key.clone());
        endpoint.key_place = match (found.source, &choice.key_file) {
            (KeySource::Environment, _) => found.provider.key_variable().map(str::to_owned),
            (KeySource::Stored, _) => Some("the key that `throughline login` stored".to_owned()),
            (KeySource::File, Some(file)) => Some(format!("the file {}", file.display())),
            _ => None,
        };
    }
    for header in &choice.headers {
        let (name, value) = header.split_once(':').ok_or(ConnectError::Header)?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || value.is_empty() {
            return Err(ConnectError::Usage(format!(
                "a header of --header has no {}; write it as \"name: value\"",
                if name.is_empty() { "name".to_owned() } else { format!("value: {name}") }
            )));
        }
        endpoint = endpoint.with_header(name, Key::new(value));
        if found.provider.key_header().eq_ignore_ascii_case(name) {
            endpoint.key = None;
            endpoint.key_place = Some(format!("the header {name}"));
        }
    }
    if found.provider == Provider::Ollama {
        endpoint.timeouts = Timeouts::local();
    }
    if let Some(seconds) = choice.timeout {
        let idle = Duration::from_secs(seconds.max(1));
        endpoint.timeouts = Timeouts { first_byte: idle, idle, ..endpoint.timeouts };
    }
    Ok(endpoint)
}

/// How the tokens of a model are counted: small texts by an estimate, large ones exactly where its encoding is known.
#[cfg(feature = "tokens")]
#[must_use]
pub fn counter(tokenizer: Tokenizer) -> Arc<dyn TokenCounter> {
    let estimate: Arc<dyn TokenCounter> = Arc::new(ScriptAwareEstimator);
    match tokenizer.encoding() {
        Some(encoding) => Arc::new(DeferredCounter::new(estimate, encoding.counter(), EXACT_FROM_BYTES)),
        None => estimate,
    }
}

/// How the tokens of a model are counted: by an estimate.
#[cfg(not(feature = "tokens"))]
#[must_use]
pub fn counter(_: Tokenizer) -> Arc<dyn TokenCounter> {
    Arc::new(ScriptAwareEstimator)
}

/// What sends requests to Anthropic.
#[cfg(feature = "anthropic")]
fn transport(choice: &ModelChoice, endpoint: &Endpoint) -> Result<Arc<dyn Transport>, ConnectError> {
    match choice.transport.unwrap_or_default() {
        ModelTransport::Http => Ok(Arc::new(ReqwestTransport::new(endpoint.timeouts))),
        ModelTransport::Sdk => sdk(endpoint),
    }
}

#[cfg(feature = "anthropic-sdk")]
fn sdk(endpoint: &Endpoint) -> Result<Arc<dyn Transport>, ConnectError> {
    match throughline_providers::anthropic::AnthropicSdkTransport::new(endpoint) {
        Ok(transport) => Ok(Arc::new(transport)),
        Err(error) => Err(ConnectError::Usage(throughline_text::error_chain(&error))),
    }
}

#[cfg(all(feature = "anthropic", not(feature = "anthropic-sdk")))]
fn sdk(_: &Endpoint) -> Result<Arc<dyn Transport>, ConnectError> {
    let message = "model.transport is \"sdk\", and this program is built without the feature `anthropic-sdk`; set it to \
                   \"http\", or build with `--features anthropic-sdk`";
    Err(ConnectError::Usage(message.to_owned()))
}

/// The model behind its client.
///
/// # Errors
/// [`ConnectError::NoClient`] if this program was built without it; [`ConnectError::Usage`] for a transport that cannot be
/// used.
pub(crate) fn client(
    choice: &ModelChoice,
    found: &DiscoveredProvider,
    endpoint: Endpoint,
    row: &ModelRow,
    counter: &Arc<dyn TokenCounter>,
) -> Result<Arc<dyn LanguageModel>, ConnectError> {
    // Each client takes what it needs of these.
    let _ = (choice, row, counter);
    match found.provider {
        #[cfg(feature = "anthropic")]
        Provider::Anthropic => anthropic(choice, endpoint, row),
        #[cfg(feature = "openai")]
        Provider::Openai | Provider::Compatible => Ok(openai(choice, found.provider, endpoint, row)),
        #[cfg(feature = "gemini")]
        Provider::Gemini | Provider::GeminiGca => Ok(gemini(choice, found.provider, endpoint, row)),
        #[cfg(feature = "ollama")]
        Provider::Ollama => {
            let http = Arc::new(ReqwestTransport::new(endpoint.timeouts));
            let model = OllamaModel::new(row.info.clone(), endpoint, http, Arc::clone(counter));
            Ok(Arc::new(match choice.thinking {
                Some(budget) => model.with_thinking(budget),
                None => model,
            }))
        }
        #[cfg(not(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai")))]
        provider => {
            drop(endpoint);
            Err(ConnectError::no_client(provider))
        }
    }
}

#[cfg(feature = "anthropic")]
fn anthropic(
    choice: &ModelChoice,
    endpoint: Endpoint,
    row: &ModelRow,
) -> Result<Arc<dyn LanguageModel>, ConnectError> {
    let transport = transport(choice, &endpoint)?;
    let model =
        AnthropicModel::new(row.info.clone(), endpoint, transport).with_bound_thinking(row.bound_thinking);
    let model = match row.thinking_form {
        Some(form) => model.with_thinking_form(form),
        None => model,
    };
    Ok(Arc::new(match choice.thinking {
        Some(budget) => model.with_thinking(budget),
        None => model,
    }))
}

#[cfg(feature = "openai")]
fn openai(
    choice: &ModelChoice,
    provider: Provider,
    endpoint: Endpoint,
    row: &ModelRow,
) -> Arc<dyn LanguageModel> {
    let http = Arc::new(ReqwestTransport::new(endpoint.timeouts));
    let info = row.info.clone();
    let own = provider == Provider::Openai;
    let default = if own { Api::Responses } else { Api::Chat };
    let options = if own { OpenAiOptions::openai() } else { OpenAiOptions::compatible() };
    let options = OpenAiOptions {
        // A model that is known not to reason refuses to be asked for its reasoning.
        encrypted_reasoning: row.thinking || row.known != Known::Exact,
        thinking_back: row.thinking_back.unwrap_or(options.thinking_back),
        // The rules of the table's row: explicit markers are for a Claude behind a gateway.
        cache_control: !own && row.info.cache.max_breakpoints > 0,
        cache_diagnostics: row.cache_diagnostics,
        cache_breakpoints: row.cache_breakpoints,
        web_search: row.info.web_search,
        effort: choice.thinking.and_then(Effort::of_budget),
        ..options
    };
    match choice.api.unwrap_or(default) {
        Api::Chat => Arc::new(OpenAiChatModel::new(info, endpoint, http, options)),
        Api::Responses => Arc::new(OpenAiResponsesModel::new(info, endpoint, http, options)),
    }
}

#[cfg(feature = "gemini")]
fn gemini(
    choice: &ModelChoice,
    provider: Provider,
    endpoint: Endpoint,
    row: &ModelRow,
) -> Arc<dyn LanguageModel> {
    let http = Arc::new(ReqwestTransport::new(endpoint.timeouts));
    let model = GeminiModel::new(row.info.clone(), endpoint, http);
    let model = match choice.thinking {
        Some(budget) => model.with_thinking(budget),
        None => model,
    };
    Arc::new(if provider == Provider::GeminiGca {
        model.with_code_assist(CodeAssist { project: project() })
    } else {
        model
    })
}

/// The project of Google Cloud that Code Assist charges, as Google's own programs read it.
#[cfg(feature = "gemini")]
fn project() -> Option<String> {
    let named = ["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT_ID"].into_iter();
    named.filter_map(|name| std::env::var(name).ok()).find(|project| !project.trim().is_empty())
}

#[cfg(all(test, feature = "anthropic"))]
mod tests;

#[cfg(all(test, not(feature = "anthropic")))]
mod no_client_tests;
