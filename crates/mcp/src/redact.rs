//! Keeping configured secrets out of messages and logs.

use throughline_text::{cut_end, sanitized};

use crate::{ServerConfig, Transport, bounds};

/// Shorter values say nothing secret, and taking them out would tear words apart.
const SECRET_FROM: usize = 8;

/// What must not be shown of a server's configuration.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    /// The longest first: one may be a part of another.
    secrets: Vec<String>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redactor")
    }
}

impl Redactor {
    pub(crate) fn of(config: &ServerConfig) -> Self {
        let mut secrets: Vec<String> = match &config.transport {
            Transport::Stdio { args, env, .. } => env.values().cloned().chain(named_secrets(args)).collect(),
            Transport::Http { url, headers } => headers.values().cloned().chain(in_url(url)).collect(),
            Transport::Local(_) => Vec::new(),
        };
        // `Bearer KEY` is a secret, and KEY alone is one too.
        let words: Vec<String> = secrets
            .iter()
            .filter_map(|secret| secret.split_once(' '))
            .map(|(_, behind)| behind.to_owned())
            .collect();
        secrets.extend(words);
        secrets.retain(|secret| secret.len() >= SECRET_FROM);
        secrets.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
        secrets.dedup();
        Self { secrets }
    }

    /// One short line of what was said, without secrets and without characters that a terminal would act on.
    pub(crate) fn line(&self, text: &str) -> String {
        // Far more than is shown, so that a secret at the cut is still whole when it is looked for.
        let mut out = cut_end(text, bounds::SAID * 16).to_owned();
        for secret in &self.secrets {
            if out.contains(secret.as_str()) {
                out = out.replace(secret.as_str(), "[hidden]");
            }
        }
        let out = sanitized(&out).split_whitespace().collect::<Vec<_>>().join(" ");
        match cut_end(&out, bounds::SAID) {
            all if all.len() == out.len() => out,
            start => format!("{start}…"),
        }
    }
}

/// Values of arguments whose names say that they are secret: `--api-key X`, `--token=X`.
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

/// The password and the values of the query.
fn in_url(url: &str) -> Vec<String> {
    let Ok(url) = reqwest::Url::parse(url) else { return Vec::new() };
    let query = url.query_pairs().flat_map(|(_, value)| [value.into_owned()]);
    let raw = url.query().into_iter().flat_map(|query| query.split(['&', '=']).map(str::to_owned));
    url.password().map(str::to_owned).into_iter().chain(query).chain(raw).collect()
}

#[cfg(test)]
mod tests;
