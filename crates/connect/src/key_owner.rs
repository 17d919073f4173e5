//! Whom a key that a user stores is for, and whether it works.

use throughline_completion::ModelError;
use throughline_providers::http::{Endpoint, Key};
use throughline_text::{error_chain, headline};

use crate::choice::Provider;
use crate::discovery::key_name;
use crate::error::ConnectError;
use crate::status::{ERROR, TIMEOUT, listed};

/// Whom a key is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyOwner {
    provider: Provider,
    base_url: String,
    /// The name under which its key is stored.
    name: String,
}

/// What a server says of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyCheck {
    /// It lists these models.
    Lists(Vec<String>),
    /// It refuses the key, with this reason.
    Refused(String),
    /// It cannot be asked, for this reason.
    Unknown(String),
}

impl KeyOwner {
    /// Reads `anthropic`, `openai`, `gemini`, or the address of a server that speaks like OpenAI.
    ///
    /// # Errors
    /// [`ConnectError::Usage`] for a provider without a key to store or an unknown one, [`ConnectError::Address`] for an address
    /// that cannot be used.
    pub fn read(text: &str) -> Result<Self, ConnectError> {
        let text = text.trim();
        if text.contains("://") {
            return Self::server(text);
        }
        let usage = |text: &str| Err(ConnectError::Usage(text.to_owned()));
        match Provider::named(text) {
            Some(Provider::Ollama) => {
                usage("an Ollama takes no key; name one of its models: `throughline -m ollama/MODEL`")
            }
            Some(Provider::GeminiGca) => usage(
                "an access token of Code Assist ends after an hour, so it is not stored; set GOOGLE_CLOUD_ACCESS_TOKEN",
            ),
            Some(Provider::Compatible) => {
                usage("a server is named by its address, for example https://openrouter.ai/api/v1")
            }
            Some(provider) => match (provider.address(), key_name(provider, None)) {
                (Some(base_url), Some(name)) => Ok(Self { provider, base_url, name }),
                _ => usage("this provider takes no key"),
            },
            None => {
                let known = Provider::WITH_KEYS.map(Provider::name).join(", ");
                Err(ConnectError::Usage(format!(
                    "there is no provider {text:?}; a key is for {known}, or for a server by its address"
                )))
            }
        }
    }

    fn server(address: &str) -> Result<Self, ConnectError> {
        let provider = Provider::Compatible;
        let wrong = |source| ConnectError::Address { provider: provider.name(), source };
        let base_url = Endpoint::new(address).map_err(wrong)?.base_url;
        let no_host = || ConnectError::Usage("the address names no host".to_owned());
        let name = key_name(provider, Some(&base_url)).ok_or_else(no_host)?;
        Ok(Self { provider, base_url, name })
    }

    /// The name under which the key is stored.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The provider.
    #[must_use]
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// Its address.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Asks for the models with this key, which costs nothing. `None`: without a key.
    ///
    /// # Errors
    /// The text is no key, or the address cannot be used.
    pub async fn check(&self, key: Option<&str>) -> Result<KeyCheck, ConnectError> {
        let wrong = |source| ConnectError::Address { provider: self.provider.name(), source };
        let mut endpoint = Endpoint::new(&self.base_url).map_err(wrong)?;
        if let Some(key) = key {
            endpoint = endpoint.with_key(Key::from_text(key, "the input")?);
        }
        let asked = tokio::time::timeout(TIMEOUT, listed(self.provider, &endpoint)).await;
        Ok(match asked {
            Ok(Ok(models)) => KeyCheck::Lists(models),
            Ok(Err(ModelError::Unauthorized { message })) => KeyCheck::Refused(headline(&message, ERROR)),
            Ok(Err(error)) => KeyCheck::Unknown(headline(&error_chain(&error), ERROR)),
            Err(_) => KeyCheck::Unknown(format!("no answer within {} seconds", TIMEOUT.as_secs())),
        })
    }
}

impl std::fmt::Display for KeyOwner {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.provider {
            Provider::Compatible => out.write_str(&self.base_url),
            provider => out.write_str(provider.name()),
        }
    }
}

#[cfg(test)]
mod tests;
