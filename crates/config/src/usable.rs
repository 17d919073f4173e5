//! Values that have the right form for a settings file and could still not be used at a start.

use std::error::Error as StdError;

#[cfg(feature = "fetch")]
use throughline_fetch::{FetchPolicy, SearchTool};
use throughline_providers::http::Endpoint;
use throughline_settings::{Key, Resolved, SettingsError, keys};
use throughline_text::error_chain;

use crate::error::Result;
use crate::setting_rules::rules;
use crate::storage_options::{StorageBlobs, StorageDatabase};

/// Fails if a start could not use what the settings have for one of the keys that are wanted.
pub(crate) fn check(resolved: &Resolved, wanted: impl Fn(&str) -> bool) -> Result<()> {
    if [keys::DENY, keys::ASK, keys::ALLOW].iter().any(|list| wanted(list.name())) {
        rules(resolved)?;
    }
    #[cfg(feature = "fetch")]
    if wanted(keys::FETCH_ALLOW.name()) {
        for item in resolved.list(keys::FETCH_ALLOW) {
            FetchPolicy::new().allowing(&item.text).map_err(|why| SettingsError {
                origin: item.origin,
                key: keys::FETCH_ALLOW.name().to_owned(),
                why: error_chain(&why),
            })?;
        }
    }
    let texts = Texts { resolved, wanted };
    #[cfg(feature = "fetch")]
    texts.check(keys::SEARCH_URL, |url| SearchTool::new(url).map(drop))?;
    texts.check(keys::BASE_URL, |url| Endpoint::new(url).map(drop))?;
    texts.check(keys::DATABASE, |address| StorageDatabase::named(address).map(drop))?;
    texts.check(keys::BLOBS, |address| StorageBlobs::named(address, None).map(drop))
}

/// The settings whose texts are checked.
struct Texts<'a, F> {
    resolved: &'a Resolved,
    /// The keys that are wanted.
    wanted: F,
}

impl<F: Fn(&str) -> bool> Texts<'_, F> {
    /// Reads the value of a key, if it is wanted and set.
    fn check<E: StdError>(
        &self,
        key: Key<String>,
        parse: impl FnOnce(&str) -> std::result::Result<(), E>,
    ) -> Result<()> {
        let wanted = (self.wanted)(key.name());
        let Some(value) = self.resolved.get(key).filter(|_| wanted) else { return Ok(()) };
        let wrong = |why: E| SettingsError {
            origin: self.resolved.origin(key),
            key: key.name().to_owned(),
            why: error_chain(&why),
        };
        Ok(parse(&value).map_err(wrong)?)
    }
}
