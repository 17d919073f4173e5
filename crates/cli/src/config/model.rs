//! Which model the settings name, where the command line names none.

use std::path::PathBuf;

use clap::ValueEnum as _;
use throughline_settings::{Resolved, keys};

use super::Config;
use crate::connect::prefix;
use crate::run::args::{Api, ModelArgs, Provider};

impl Config {
    /// The arguments that name a model, completed by the settings.
    pub(crate) fn model(&self, typed: &ModelArgs) -> ModelArgs {
        completed(&self.resolved, typed)
    }

    /// The models that go on when the first cannot: those that are typed, or else those of the settings.
    pub(crate) fn fallback(&self, typed: &[String]) -> Vec<String> {
        if !typed.is_empty() {
            return typed.to_vec();
        }
        self.resolved.list(keys::FALLBACK).into_iter().map(|item| item.text).collect()
    }
}

/// Model, address, key, headers and provider belong together, so that no key goes to a server by mistake: as soon as the
/// command line names a server, or a model of another provider, none of them comes from the settings. But a provider that
/// is typed alone has the model of the settings, where that is one of its own.
fn completed(set: &Resolved, typed: &ModelArgs) -> ModelArgs {
    let mut args = typed.clone();
    args.window = args.window.or_else(|| set.get(keys::WINDOW));
    args.thinking = args.thinking.or_else(|| set.get(keys::THINKING));
    args.timeout = args.timeout.or_else(|| set.get(keys::TIMEOUT));
    let provider = set.get(keys::PROVIDER).and_then(|name| Provider::from_str(&name, false).ok());
    let model = set.get(keys::MODEL);
    if typed.provider.is_some() || typed.base_url.is_some() || typed.key_file.is_some() {
        let whose = model.as_deref().and_then(prefix).or(provider);
        if typed.base_url.is_none() && whose.is_some() && whose == typed.provider {
            args.model = args.model.or(model);
        }
        return args;
    }
    args.model = args.model.or(model);
    let prefix = args.model.as_deref().and_then(prefix);
    let other = prefix.is_some() && provider.is_some() && prefix != provider;
    if other {
        return args;
    }
    args.provider = provider;
    args.base_url = set.get(keys::BASE_URL);
    args.key_file = set.get(keys::KEY_FILE).map(PathBuf::from);
    args.api = args.api.or_else(|| set.get(keys::API).and_then(|name| Api::from_str(&name, false).ok()));
    if let Some(headers) = set.get(keys::HEADERS) {
        let own = headers.iter().map(|(name, value)| format!("{name}: {value}"));
        args.headers = own.chain(args.headers).collect();
    }
    args
}

#[cfg(test)]
mod tests;
