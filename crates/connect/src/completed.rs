//! The model that the settings name, if the caller names none.

use std::path::PathBuf;

use throughline_config::Config;
use throughline_settings::{Resolved, keys};

use crate::choice::{
    Api, CacheLifetime, CompletedFigures, ModelChoice, ModelTransport, Provider, SettingFigure,
};
use crate::discovery::provider_prefix;

impl ModelChoice {
    /// The choice, completed by the settings and their data folder.
    #[must_use]
    pub fn completed(&self, config: &Config) -> Self {
        Self { data: config.data_dir.clone(), ..completed(&config.resolved, self) }
    }
}

/// Model, address, key, headers and provider belong together, so that no key goes to a server by mistake: as soon as
/// the caller names a server, or a model of another provider, none of them comes from the settings. But a provider that is
/// named alone has the model of the settings, if that is one of its own.
fn completed(set: &Resolved, named: &ModelChoice) -> ModelChoice {
    let mut choice = named.clone();
    choice.completed = CompletedFigures {
        window: SettingFigure::of(set, keys::WINDOW).filter(|_| named.window.is_none()),
        thinking: SettingFigure::of(set, keys::THINKING).filter(|_| named.thinking.is_none()),
    };
    choice.window = choice.window.or_else(|| set.get(keys::WINDOW));
    choice.thinking = choice.thinking.or_else(|| set.get(keys::THINKING));
    choice.timeout = choice.timeout.or_else(|| set.get(keys::TIMEOUT));
    choice.cache_ttl = choice.cache_ttl.or_else(|| CacheLifetime::of(set));
    let provider = set.get(keys::PROVIDER).and_then(|name| Provider::named(&name));
    let model = set.get(keys::MODEL);
    if named.provider.is_some() || named.base_url.is_some() || named.key_file.is_some() {
        let whose = model.as_deref().and_then(provider_prefix).or(provider);
        if named.base_url.is_none() && whose.is_some() && whose == named.provider {
            choice.model = choice.model.or(model);
        }
        return choice;
    }
    choice.model = choice.model.or(model);
    let prefix = choice.model.as_deref().and_then(provider_prefix);
    let other = prefix.is_some() && provider.is_some() && prefix != provider;
    if other {
        return choice;
    }
    choice.provider = provider;
    choice.base_url = set.get(keys::BASE_URL);
    choice.key_file = set.get(keys::KEY_FILE).map(PathBuf::from);
    choice.api = choice.api.or_else(|| set.get(keys::API).and_then(|name| Api::named(&name)));
    let transport = || set.get(keys::TRANSPORT).and_then(|name| ModelTransport::named(&name));
    choice.transport = choice.transport.or_else(transport);
    if let Some(headers) = set.get(keys::HEADERS) {
        let own = headers.iter().map(|(name, value)| format!("{name}: {value}"));
        choice.headers = own.chain(choice.headers).collect();
    }
    choice
}

#[cfg(test)]
mod tests;
