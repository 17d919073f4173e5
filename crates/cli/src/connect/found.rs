//! Which providers the arguments and the environment offer.

use std::time::Duration;

use anyhow::Context as _;
use clap::ValueEnum as _;
use throughline_providers::http::{Endpoint, Key, KeyError};
use throughline_providers::ollama::Ollama;

use super::ConnectError;
use crate::run::args::{ModelArgs, Provider};

/// How long a local server may take for a sign of life.
const SIGN_OF_LIFE: Duration = Duration::from_millis(400);
/// Where Ollama listens when nothing else is said.
const OLLAMA: &str = "http://127.0.0.1:11434";

/// A provider that can be asked.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) provider: Provider,
    pub(crate) base_url: String,
    pub(crate) key: Option<Key>,
    pub(crate) source: KeySource,
    /// Models that a local server has, when it was asked.
    pub(crate) served: Vec<String>,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// `--key-file`.
    File,
    /// An environment variable.
    Environment,
    /// There is none.
    None,
}

impl Provider {
    /// Where it is, when nothing else is said.
    pub(crate) fn address(self) -> Option<String> {
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
            Self::Ollama => {
                Some(from(&["OLLAMA_HOST"]).map_or(OLLAMA.to_owned(), |host| ollama_address(&host)))
            }
            Self::Compatible => None,
        }
    }

    /// The environment variable of its key.
    pub(crate) fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::Openai | Self::Compatible => Some("OPENAI_API_KEY"),
            Self::Ollama => None,
        }
    }
}

/// `OLLAMA_HOST` may have a scheme and a port, or neither; the address to listen on is not one to call.
fn ollama_address(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.replace("0.0.0.0", "127.0.0.1");
    let has_port =
        rest.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|digit| digit.is_ascii_digit()));
    let port = if has_port || scheme == "https" { "" } else { ":11434" };
    format!("{scheme}://{rest}{port}")
}

/// The provider that a model's name begins with.
pub(crate) fn prefix(model: &str) -> Option<Provider> {
    let (provider, _) = model.split_once('/')?;
    Provider::from_str(provider, false).ok()
}

/// The provider that the arguments name: itself, by an address, or by a model of it. An address that is named alone is
/// that of a server which may have models of others, as `anthropic/…`; it gets none of their keys.
pub(crate) fn named(args: &ModelArgs) -> Option<Provider> {
    let by_address = || args.base_url.as_ref().map(|_| Provider::Compatible);
    let by_model = || prefix(args.model.as_deref()?);
    args.provider.or_else(by_address).or_else(by_model)
}

/// The provider that the arguments name, or else the first that the environment offers.
pub(crate) async fn find(args: &ModelArgs) -> Result<Found, ConnectError> {
    if let Some(provider) = named(args) {
        return named_provider(args, provider).await;
    }
    if let Some(option) = strays(args) {
        return Err(ConnectError::Usage(format!(
            "{option} needs --provider: it may hold a key, and that goes to no provider that was not named"
        )));
    }
    let mut empty = Vec::new();
    for provider in [Provider::Anthropic, Provider::Openai] {
        let (key, source) = match key(args, provider) {
            Err(error) if is_empty(&error) => {
                empty.extend(provider.key_variable());
                continue;
            }
            found => found?,
        };
        if let (Some(key), Some(base_url)) = (key, provider.address()) {
            return Ok(Found { provider, base_url, key: Some(key), source, served: Vec::new() });
        }
    }
    match local_ollama().await {
        Some(found) if !found.served.is_empty() => Ok(found),
        _ => Err(ConnectError::NoProvider { empty }),
    }
}

/// The option that belongs to a provider, when none is named.
fn strays(args: &ModelArgs) -> Option<&'static str> {
    match (&args.key_file, args.headers.as_slice()) {
        (Some(_), _) => Some("--key-file"),
        (None, [_, ..]) => Some("--header"),
        (None, []) => None,
    }
}

/// Whether there is nothing in the place of a key.
fn is_empty(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(KeyError::Empty { .. }))
}

async fn named_provider(args: &ModelArgs, provider: Provider) -> Result<Found, ConnectError> {
    let Some(base_url) = args.base_url.clone().or_else(|| provider.address()) else {
        let message = "provider compatible needs --base-url, for example http://127.0.0.1:8000/v1";
        return Err(ConnectError::Usage(message.to_owned()));
    };
    let (key, source) = key(args, provider)?;
    let needs_key = matches!(provider, Provider::Anthropic | Provider::Openai) && args.base_url.is_none();
    if needs_key && key.is_none() {
        let variable = provider.key_variable().unwrap_or_default();
        let name = provider.name();
        return Err(ConnectError::Usage(format!(
            "provider {name} needs a key: set {variable}, or name a file with --key-file"
        )));
    }
    let mut served = Vec::new();
    if provider == Provider::Ollama && args.model.is_none() {
        served = ollama_models(&base_url).await.context("could not ask Ollama for its models")?;
    }
    Ok(Found { provider, base_url, key, source, served })
}

/// The key: from the file that was named, or else from the environment. An address of the user's own is sent the key of
/// the environment only when the provider was named too, so that no key goes to a server by mistake.
fn key(args: &ModelArgs, provider: Provider) -> anyhow::Result<(Option<Key>, KeySource)> {
    if let Some(file) = &args.key_file {
        return Ok((Some(Key::from_file(file)?), KeySource::File));
    }
    let stray = provider == Provider::Compatible && args.provider != Some(Provider::Compatible);
    match provider.key_variable() {
        Some(variable) if !stray => {
            let key = Key::from_env(variable)?;
            let source = if key.is_some() { KeySource::Environment } else { KeySource::None };
            Ok((key, source))
        }
        _ => Ok((None, KeySource::None)),
    }
}

/// The Ollama of this machine, when one answers.
pub(crate) async fn local_ollama() -> Option<Found> {
    let provider = Provider::Ollama;
    let base_url = provider.address()?;
    let server = Ollama::new(&Endpoint::new(&base_url).ok()?).ok()?;
    let listed = tokio::time::timeout(SIGN_OF_LIFE, server.list()).await.ok()?.ok()?;
    let served = listed.into_iter().map(|model| model.name).collect();
    Some(Found { provider, base_url, key: None, source: KeySource::None, served })
}

async fn ollama_models(base_url: &str) -> anyhow::Result<Vec<String>> {
    let server = Ollama::new(&Endpoint::new(base_url)?)?;
    Ok(server.list().await?.into_iter().map(|model| model.name).collect())
}
