//! Values that have the right form for a settings file and could still not be used at a start.

use std::error::Error as StdError;

#[cfg(feature = "fetch")]
use throughline_fetch::FetchPolicy;
use throughline_providers::http::Endpoint;
use throughline_settings::{Key, Resolved, SettingsError, keys};
use throughline_text::error_chain;

use crate::error::Result;
use crate::setting_rules::rules;
use crate::storage_options::{StorageBlobs, StorageDatabase};

/// Fails if a start could not use what the settings have for this key.
pub(crate) fn check(resolved: &Resolved, key: &str) -> Result<()> {
    if [keys::DENY, keys::ASK, keys::ALLOW].iter().any(|list| list.name() == key) {
        rules(resolved)?;
    }
    #[cfg(feature = "fetch")]
    if key == keys::FETCH_ALLOW.name() {
        for item in resolved.list(keys::FETCH_ALLOW) {
            FetchPolicy::new().allowing(&item.text).map_err(|why| SettingsError {
                origin: item.origin,
                key: key.to_owned(),
                why: error_chain(&why),
            })?;
        }
    }
    text(resolved, key, keys::BASE_URL, |url| Endpoint::new(url).map(drop))?;
    text(resolved, key, keys::DATABASE, |address| StorageDatabase::named(address).map(drop))?;
    text(resolved, key, keys::BLOBS, |address| StorageBlobs::named(address, None).map(drop))
}

/// Reads the value of `read`, if it is the key that is checked and set.
fn text<E: StdError>(
    resolved: &Resolved,
    checked: &str,
    read: Key<String>,
    parse: impl FnOnce(&str) -> std::result::Result<(), E>,
) -> Result<()> {
    let Some(value) = resolved.get(read).filter(|_| read.name() == checked) else { return Ok(()) };
    let wrong = |why: E| SettingsError {
        origin: resolved.origin(read),
        key: checked.to_owned(),
        why: error_chain(&why),
    };
    Ok(parse(&value).map_err(wrong)?)
}
