//! Removes configured secrets from messages and logs.

use std::sync::{Arc, PoisonError, RwLock};

use throughline_text::{cut_end, sanitized};

use crate::config::{ServerConfig, Transport};
use crate::limits;

/// Shorter values are not secret, and removing them would mangle words.
const MIN_SECRET: usize = 8;

/// A variable with a path that an error should name: the folder of the plugin that the server is of.
const PLUGIN_ROOT: &str = "CLAUDE_PLUGIN_ROOT";

/// Knows the secrets in a server's configuration, and those of its login. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    /// The longest first, because one may contain another.
    secrets: Arc<RwLock<Vec<String>>>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redactor")
    }
}

impl Redactor {
    pub(crate) fn of(config: &ServerConfig) -> Self {
        let mut secrets: Vec<String> = match &config.transport {
            Transport::Stdio { args, env, .. } => {
                let values = env.iter().filter(|(name, _)| *name != PLUGIN_ROOT).map(|(_, value)| value);
                values.cloned().chain(named_secrets(args)).collect()
            }
            Transport::Http { url, headers } => headers.values().cloned().chain(in_url(url)).collect(),
            Transport::Local(_) => Vec::new(),
        };
        // `Bearer KEY` is a secret, and KEY alone is one too.
        let words: Vec<String> = secrets
            .iter()
            .filter_map(|secret| secret.split_once(' '))
            .map(|(_, key)| key.to_owned())
            .collect();
        secrets.extend(words);
        secrets.extend(config.oauth.client_secret.clone());
        Self { secrets: Arc::new(RwLock::new(in_order(secrets))) }
    }

    /// Adds a secret.
    pub(crate) fn learn(&self, secret: &str) {
        let mut secrets = self.secrets.write().unwrap_or_else(PoisonError::into_inner);
        if !secrets.iter().any(|known| known == secret) {
            secrets.push(secret.to_owned());
            *secrets = in_order(std::mem::take(&mut *secrets));
        }
    }

    /// The text as one short line, without secrets and control characters.
    pub(crate) fn line(&self, text: &str) -> String {
        // Truncated far beyond the shown length first, so that a secret at the shown end is still complete.
        let mut out = cut_end(text, limits::QUOTE * 16).to_owned();
        for secret in self.secrets.read().unwrap_or_else(PoisonError::into_inner).iter() {
            if out.contains(secret.as_str()) {
                out = out.replace(secret.as_str(), "[hidden]");
            }
        }
        let out = sanitized(&out).split_whitespace().collect::<Vec<_>>().join(" ");
        match cut_end(&out, limits::QUOTE) {
            all if all.len() == out.len() => out,
            start => format!("{start}…"),
        }
    }
}

fn in_order(mut secrets: Vec<String>) -> Vec<String> {
    secrets.retain(|secret| secret.len() >= MIN_SECRET);
    secrets.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    secrets.dedup();
    secrets
}

/// Values of arguments with secret names: `--api-key X`, `--token=X`.
fn named_secrets(args: &[String]) -> Vec<String> {
    let secret = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["key", "token", "secret", "password", "auth", "credential"].iter().any(|word| name.contains(word))
    };
    let mut found = Vec::new();
    let mut expected = false;
    for arg in args {
        let is_flag = arg.starts_with('-');
        match arg.split_once('=') {
            Some((name, value)) if secret(name) => found.push(value.to_owned()),
            _ if expected && !is_flag => found.push(arg.clone()),
            // `postgres://user:password@host`
            _ => found.extend(in_url(arg)),
        }
        expected = is_flag && !arg.contains('=') && secret(arg);
    }
    found
}

/// The password and the query values of a URL.
fn in_url(url: &str) -> Vec<String> {
    let Ok(url) = reqwest::Url::parse(url) else { return Vec::new() };
    let query = url.query_pairs().flat_map(|(_, value)| [value.into_owned()]);
    let raw = url.query().into_iter().flat_map(|query| query.split(['&', '=']).map(str::to_owned));
    url.password().map(str::to_owned).into_iter().chain(query).chain(raw).collect()
}

#[cfg(test)]
mod tests;
