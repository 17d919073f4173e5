//! Which provider the choice and the environment name, and with which key.

use throughline_providers::http::{Key, KeyError};

use crate::choice::{ModelChoice, Provider};
use crate::error::ConnectError;
use crate::local_server::{local_ollama, ollama_models};

/// Where Ollama listens by default.
const OLLAMA: &str = "http://127.0.0.1:11434";

const GEMINI_KEY: &str = "GEMINI_API_KEY";
const GOOGLE_KEY: &str = "GOOGLE_API_KEY";

/// A provider, its address and its key.
#[derive(Debug, Clone)]
pub struct DiscoveredProvider {
    /// Which one.
    pub provider: Provider,
    /// Its address.
    pub base_url: String,
    /// The key that it is sent.
    pub key: Option<Key>,
    /// Where the key comes from.
    pub source: KeySource,
    /// Models of a local server, newest first, if it was asked for them.
    pub served: Vec<String>,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySource {
    /// A file that the choice names.
    File,
    /// An environment variable.
    Environment,
    /// No key is sent.
    None,
}

impl Provider {
    /// Its default address: of the environment, else its own.
    #[must_use]
    pub fn address(self) -> Option<String> {
        let from = |names: &[&str]| {
            names.iter().find_map(|name| std::env::var(name).ok()).filter(|value| !value.trim().is_empty())
        };
        match self {
            Self::Anthropic => {
                from(&["ANTHROPIC_BASE_URL"]).or_else(|| Some("https://api.anthropic.com".to_owned()))
            }
            Self::Openai => {
                from(&["OPENAI_BASE_URL"]).or_else(|| Some("https://api.openai.com/v1".to_owned()))
            }
            Self::Gemini => Some(
                from(&["GOOGLE_GEMINI_BASE_URL"])
                    .unwrap_or_else(|| "https://generativelanguage.googleapis.com".to_owned()),
            ),
            Self::GeminiGca => Some(
                from(&["CODE_ASSIST_ENDPOINT"])
                    .unwrap_or_else(|| "https://cloudcode-pa.googleapis.com".to_owned()),
            ),
            Self::Ollama => {
                Some(from(&["OLLAMA_HOST"]).map_or(OLLAMA.to_owned(), |host| ollama_address(&host)))
            }
            Self::Compatible => None,
        }
    }

    /// The header of its key.
    pub(crate) fn key_header(self) -> &'static str {
        match self {
            Self::Anthropic => "x-api-key",
            Self::Gemini => "x-goog-api-key",
            Self::Openai | Self::GeminiGca | Self::Ollama | Self::Compatible => "authorization",
        }
    }

    /// The environment variable of its key.
    #[must_use]
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::Openai | Self::Compatible => Some("OPENAI_API_KEY"),
            // Google's own programs read both; the first one wins.
            Self::Gemini
                if std::env::var_os(GEMINI_KEY).is_none() && std::env::var_os(GOOGLE_KEY).is_some() =>
            {
                Some(GOOGLE_KEY)
            }
            Self::Gemini => Some(GEMINI_KEY),
            Self::GeminiGca => Some("GOOGLE_CLOUD_ACCESS_TOKEN"),
            Self::Ollama => None,
        }
    }
}

/// `OLLAMA_HOST` may have a scheme and a port, or neither. An address to listen on becomes one to call.
fn ollama_address(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.replace("0.0.0.0", "127.0.0.1");
    let has_port =
        rest.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|digit| digit.is_ascii_digit()));
    let port = if has_port || scheme == "https" { "" } else { ":11434" };
    format!("{scheme}://{rest}{port}")
}

/// The provider that a model's name begins with, as in `anthropic/claude-sonnet-4-5`.
#[must_use]
pub fn provider_prefix(model: &str) -> Option<Provider> {
    let (provider, _) = model.split_once('/')?;
    Provider::named(provider)
}

/// The provider that the choice names, else the first with a key in the environment, else a local Ollama.
///
/// # Errors
/// [`ConnectError`], before any request but those to an Ollama.
pub async fn discover(choice: &ModelChoice) -> Result<DiscoveredProvider, ConnectError> {
    if let Some(provider) = choice.named_provider() {
        return named_provider(choice, provider).await;
    }
    if let Some(option) = orphan_option(choice) {
        return Err(ConnectError::Usage(format!(
            "{option} needs --provider: it may hold a key, and that goes to no provider that was not named"
        )));
    }
    let mut empty = Vec::new();
    for provider in [Provider::Anthropic, Provider::Openai, Provider::Gemini] {
        let (key, source) = match key(choice, provider) {
            Err(KeyError::Empty { .. }) => {
                empty.extend(provider.key_variable());
                continue;
            }
            read => read?,
        };
        if let (Some(key), Some(base_url)) = (key, provider.address()) {
            return Ok(DiscoveredProvider { provider, base_url, key: Some(key), source, served: Vec::new() });
        }
    }
    match local_ollama().await {
        Some(found) if !found.served.is_empty() => Ok(found),
        _ => Err(ConnectError::NoProvider { named: None, empty }),
    }
}

/// An option that belongs to a provider, if no provider is named.
fn orphan_option(choice: &ModelChoice) -> Option<&'static str> {
    match (&choice.key_file, choice.headers.as_slice()) {
        (Some(_), _) => Some("--key-file"),
        (None, [_, ..]) => Some("--header"),
        (None, []) => None,
    }
}

async fn named_provider(
    choice: &ModelChoice,
    provider: Provider,
) -> Result<DiscoveredProvider, ConnectError> {
    let Some(base_url) = choice.base_url.clone().or_else(|| provider.address()) else {
        let message = "provider compatible needs --base-url, for example http://127.0.0.1:8000/v1";
        return Err(ConnectError::Usage(message.to_owned()));
    };
    let (key, source) = key(choice, provider)?;
    let needs_key = !matches!(provider, Provider::Ollama | Provider::Compatible) && choice.base_url.is_none();
    if needs_key && key.is_none() {
        let variable = provider.key_variable().unwrap_or_default();
        return Err(ConnectError::MissingKey { subject: format!("provider {}", provider.name()), variable });
    }
    let mut served = Vec::new();
    if provider == Provider::Ollama && choice.model.is_none() {
        served = ollama_models(&base_url).await?;
    }
    Ok(DiscoveredProvider { provider, base_url, key, source, served })
}

/// The key: from the file that is named, or else from the environment. An address of the user's own is sent the key of
/// the environment only if the provider is named too, so that no key goes to a server by mistake.
fn key(choice: &ModelChoice, provider: Provider) -> Result<(Option<Key>, KeySource), KeyError> {
    if let Some(file) = &choice.key_file {
        return Ok((Some(Key::from_file(file)?), KeySource::File));
    }
    let stray = provider == Provider::Compatible && choice.provider != Some(Provider::Compatible);
    match provider.key_variable() {
        Some(variable) if !stray => {
            let key = Key::from_env(variable)?;
            let source = if key.is_some() { KeySource::Environment } else { KeySource::None };
            Ok((key, source))
        }
        _ => Ok((None, KeySource::None)),
    }
}
