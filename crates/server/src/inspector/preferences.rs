//! The settings that say how context is managed, read and changed in the user's own file.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_config::{Config, ConfigSources, SettingsFile};
use throughline_settings::{Resolved, schema};
use throughline_stored::{Error, Result};

use super::preference_texts::about;

/// The sections of these settings.
const SECTIONS: &[&str] = &["agent", "compaction", "cache", "truncation", "undo", "watch"];

/// A setting.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Preference {
    pub(crate) key: String,
    /// What it means, in a sentence.
    pub(crate) about: &'static str,
    /// Its default; one that depends on something is a sentence about it.
    pub(crate) usual: &'static str,
    /// The effective value; of one that is not set, a sentence about it.
    pub(crate) value: String,
    /// Where it is set, or `default`.
    pub(crate) from: String,
}

/// The settings with their effective values and where each is set, as one list.
///
/// # Errors
/// The settings cannot be read.
pub(crate) fn preferences() -> Result<Vec<Preference>> {
    let settings: Resolved = Config::load(ConfigSources::default())?.resolved;
    let shown = settings.shown().into_iter().filter(|(key, ..)| is_preference(key));
    Ok(shown
        .map(|(key, value, origin)| Preference {
            key: key.into(),
            about: about(key),
            usual: schema().iter().find(|spec| spec.key == key).map_or("", |spec| spec.usual),
            value,
            from: origin.to_string(),
        })
        .collect())
}

/// Sets one of these settings in the user's file; `None` removes it there.
///
/// # Errors
/// The key is not one of them, the value cannot be used, or the file cannot be written. Then the file is unchanged.
pub(crate) fn set_preference(key: &str, value: Option<&str>) -> Result<()> {
    if !is_preference(key) {
        let shown = throughline_text::first_chars(key, 60);
        return Err(Error::usage(format!(
            "{shown:?} is no setting of context management; those are in the sections {}",
            SECTIONS.join(", ")
        )));
    }
    let file = SettingsFile::of_user()?;
    match value {
        Some(value) => file.set(key, value)?,
        None => file.unset(key).map(|_| ())?,
    }
    Ok(())
}

pub(super) fn is_preference(key: &str) -> bool {
    key.split_once('.').is_some_and(|(section, _)| SECTIONS.contains(&section))
}
