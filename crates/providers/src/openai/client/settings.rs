//! What async-openai has to know about the server.

use std::fmt;

use async_openai::config::Config;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::SecretString;

use crate::client::{Endpoint, Key};

/// Address and headers.
///
/// The library's own configuration reads keys, addresses and organizations from the environment, sends an
/// `Authorization` header without a key, and panics over a key that no header can carry.
#[derive(Clone)]
pub(super) struct Settings {
    base: String,
    headers: HeaderMap,
    /// The library asks for it in APIs that are not used here.
    key: SecretString,
}

impl Settings {
    /// # Errors
    /// Says which header cannot be written; never holds its value.
    pub(super) fn new(endpoint: &Endpoint) -> Result<Self, String> {
        let mut headers = HeaderMap::new();
        // A gateway's own are last, so that they win.
        for (name, value) in endpoint.bearer().iter().chain(&endpoint.headers) {
            let field = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| format!("{name:?} is no name of a header"))?;
            headers.insert(field, secret(name, value.expose())?);
        }
        let key = endpoint.key.as_ref().map_or("", Key::expose);
        Ok(Self { base: api_base(&endpoint.base_url), headers, key: SecretString::from(key) })
    }
}

fn secret(name: &str, value: &str) -> Result<HeaderValue, String> {
    let mut value = HeaderValue::from_str(value).map_err(|_| {
        format!("the value of header {name} has characters that no header can carry; check the key")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// The address that paths like `/chat/completions` are added to.
pub(crate) fn api_base(base_url: &str) -> String {
    let base = base_url.trim_end_matches('/');
    let host_only = base.split_once("://").is_none_or(|(_, rest)| !rest.contains('/'));
    if host_only { format!("{base}/v1") } else { base.to_owned() }
}

impl Config for Settings {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        &self.key
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("base", &self.base).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
