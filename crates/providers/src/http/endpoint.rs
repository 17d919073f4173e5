//! Where a provider is reached, and how long to wait for it.

use std::time::Duration;

use throughline_completion::ModelError;
use throughline_conversation::ServerAddress;
use url::Url;

use super::Key;

/// Where a provider is reached.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// For example `https://api.anthropic.com`; a path is allowed. No slash at the end.
    pub base_url: String,
    /// The key; local servers take none.
    pub key: Option<Key>,
    /// Where the user wrote the key, for the error of a server that rejects it.
    pub key_place: Option<String>,
    /// More headers, for gateways. Their values are as secret as keys.
    pub headers: Vec<(String, Key)>,
    /// How long to wait.
    pub timeouts: Timeouts,
}

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For the connection; 10 s. It applies when a transport is created; the others apply to each request.
    pub connect: Duration,
    /// From sending the request until the first byte of the response: its headers; 300 s, since a long prompt is
    /// read before the answer begins.
    pub first_byte: Duration,
    /// Between two pieces of the response; 300 s, since some servers say nothing while a model thinks, and send a
    /// call only when it is whole.
    pub idle: Duration,
}

/// Why a base URL cannot be used. Never holds the URL: people put keys there by mistake.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It cannot be read.
    #[error("the base URL is no URL; write it as `https://host` or `http://host:port`")]
    Malformed,
    /// It is of another kind.
    #[error("the base URL begins with `{scheme}:`; it must begin with `https://` or `http://`")]
    Scheme {
        /// Its scheme.
        scheme: String,
    },
    /// It holds a name or a password.
    #[error("the base URL holds a user name or a password; take it out and give the key on its own")]
    Credentials,
    /// It has a query or a fragment.
    #[error("the base URL has a `?` or a `#` part; take it out, paths are added at the end of the URL")]
    Query,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(300),
        }
    }
}

impl Timeouts {
    /// For models on a machine of one's own, which may be slow: 600 s for the first byte and between two pieces.
    #[must_use]
    pub fn local() -> Self {
        let slow = Duration::from_secs(600);
        Self { first_byte: slow, idle: slow, ..Self::default() }
    }
}

impl Endpoint {
    /// An address without key or headers; on this machine with the waits of [`Timeouts::local`].
    ///
    /// # Errors
    /// [`EndpointError`] when the text is no plain `http` or `https` URL.
    pub fn new(base_url: &str) -> Result<Self, EndpointError> {
        let base_url = base_url.trim();
        let url = Url::parse(base_url).map_err(|_| EndpointError::Malformed)?;
        if !matches!(url.scheme(), "http" | "https") {
            // `host:port` reads as a scheme, and a key with a colon would too.
            return Err(match base_url.split_once("://") {
                Some(_) => EndpointError::Scheme { scheme: url.scheme().to_owned() },
                None => EndpointError::Malformed,
            });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EndpointError::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(EndpointError::Query);
        }
        let base_url = base_url.trim_end_matches('/').to_owned();
        let timeouts = if is_loopback(&base_url) { Timeouts::local() } else { Timeouts::default() };
        Ok(Self { base_url, key: None, key_place: None, headers: Vec::new(), timeouts })
    }

    /// The same with a key. Warns when the key would cross a network unencrypted.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        if self.base_url.starts_with("http://") && !is_loopback(&self.base_url) {
            tracing::warn!("the key goes to {} unencrypted; use https", host(&self.base_url));
        }
        self.key = Some(key);
        self
    }

    /// The same with one more header.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: Key) -> Self {
        self.headers.push((name.into(), value));
        self
    }

    /// Its host and port.
    #[must_use]
    pub fn server(&self) -> Option<ServerAddress> {
        let url = Url::parse(&self.base_url).ok()?;
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        Some(ServerAddress { host, port: url.port_or_known_default()? })
    }

    /// The header that shows the key as most servers want it.
    pub(crate) fn bearer(&self) -> Option<(String, Key)> {
        let key = self.key.as_ref()?;
        Some(("authorization".to_owned(), Key::new(format!("Bearer {}", key.expose()))))
    }

    /// The address of a path below `version`, which a base URL may or may not end with: both
    /// `http://host` and `http://host/v1` give `http://host/v1/messages` for `/v1` and `/messages`.
    pub(crate) fn url(&self, version: &str, path: &str) -> String {
        let base = self.base_url.trim_end_matches('/');
        let base = base.strip_suffix(version).unwrap_or(base);
        format!("{base}{version}{path}")
    }

    /// The text without any secret of this endpoint.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        let more = self.headers.iter().map(|(_, value)| value);
        self.key.iter().chain(more).fold(text.to_owned(), |text, key| key.redact(&text))
    }

    /// The error without any secret of this endpoint.
    pub(crate) fn redact_error(&self, mut error: ModelError) -> ModelError {
        match &mut error {
            ModelError::Overflow { message, .. }
            | ModelError::RateLimited { message, .. }
            | ModelError::Unavailable { message, .. }
            | ModelError::NotRunning { message }
            | ModelError::Unauthorized { message }
            | ModelError::Unpaid { message }
            | ModelError::UnknownModel { message }
            | ModelError::TooLarge { message }
            | ModelError::OutputTooLarge { message, .. }
            | ModelError::PictureRefused { message }
            | ModelError::ThinkingRefused { message }
            | ModelError::Filtered { message }
            | ModelError::NoRetry { message }
            | ModelError::InvalidRequest { message }
            | ModelError::Interrupted { message }
            | ModelError::Silent { message } => *message = self.redact(message),
            ModelError::Other(_) => {}
        }
        error
    }
}

/// Host and port of a URL, for messages.
pub(crate) fn host(url: &str) -> String {
    let Ok(url) = Url::parse(url) else { return "the provider".to_owned() };
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => "the provider".to_owned(),
    }
}

/// Returns true if a URL leads to this machine.
#[must_use]
pub fn is_loopback(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let Some(host) = url.host_str() else { return false };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<std::net::IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
    }
}

#[cfg(test)]
mod tests;
