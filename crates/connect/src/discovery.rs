//! Which provider the choice and the environment name, and with which key.

use throughline_providers::http::{Endpoint, Key, KeyError};

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
    /// The keys that the user has stored.
    Stored,
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

/// The provider that the choice names, else the one whose key the user stored last, else the first with a key in the
/// environment, else a local Ollama.
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
    for provider in stored_last(choice).into_iter().chain(Provider::WITH_KEYS) {
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

/// The provider whose key the user stored last.
fn stored_last(choice: &ModelChoice) -> Option<Provider> {
    Provider::named(choice.keys.as_ref()?.newest(Provider::WITH_KEYS.map(Provider::name))?)
}

/// The key: from the file that is named, else from the environment, else the stored one. An address of the user's own is sent
/// the key of the environment only if the provider is named too, so that no key goes to a server by mistake; a stored key is for
/// one provider or one server.
fn key(choice: &ModelChoice, provider: Provider) -> Result<(Option<Key>, KeySource), KeyError> {
    if let Some(file) = &choice.key_file {
        return Ok((Some(Key::from_file(file)?), KeySource::File));
    }
    let stored = || {
        let name = key_name(provider, choice.base_url.as_deref())?;
        choice.keys.as_ref()?.find(&name)
    };
    let stray = provider == Provider::Compatible && choice.provider != Some(Provider::Compatible);
    let variable = provider.key_variable().filter(|_| !stray);
    match (variable.map(Key::from_env).transpose(), stored()) {
        (Ok(Some(Some(key))), _) => Ok((Some(key), KeySource::Environment)),
        // A variable that is set to nothing is no reason to leave out a key that is there.
        (Ok(_) | Err(KeyError::Empty { .. }), Some(file)) => {
            Ok((Some(Key::from_file(&file)?), KeySource::Stored))
        }
        (Ok(_), None) => Ok((None, KeySource::None)),
        (Err(error), _) => Err(error),
    }
}

/// The name under which the key of a provider, or of a server that speaks like OpenAI, is stored. `None`: it has none.
pub(crate) fn key_name(provider: Provider, base_url: Option<&str>) -> Option<String> {
    match provider {
        Provider::Compatible => {
            let server = Endpoint::new(base_url?).ok()?.server()?;
            Some(format!("server-{}-{}", server.host, server.port))
        }
        // The access token of Code Assist ends after an hour, and an Ollama takes no key.
        Provider::GeminiGca | Provider::Ollama => None,
        Provider::Anthropic | Provider::Openai | Provider::Gemini => Some(provider.name().to_owned()),
    }
}

#[cfg(test)]
mod tests;
