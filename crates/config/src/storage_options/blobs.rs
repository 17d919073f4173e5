//! Where the contents of large results are stored.

use throughline_settings::{Resolved, keys};
use throughline_store::Store;

use super::StorageOptions;
use crate::error::{ConfigError, Result};

/// Bytes of a content that is stored in the database, whatever else is set.
const FROM: u64 = 65_536;

/// The place of the contents of large results.
#[derive(Debug, Clone, Default)]
pub enum StorageBlobs {
    /// The database, with everything else.
    #[default]
    Database,
    /// An object store.
    Objects {
        /// Its address: `s3://bucket/prefix` or `file:///folder`.
        place: String,
        /// Contents of more bytes go there.
        from: u64,
    },
    /// The settings name something that cannot be used, for this reason.
    Wrong(String),
}

impl StorageBlobs {
    /// The place that settings name.
    pub(crate) fn of(settings: &Resolved) -> Self {
        let Some(text) = settings.get(keys::BLOBS) else { return Self::Database };
        let from = settings.get(keys::BLOBS_FROM);
        let origin = settings.origin(keys::BLOBS);
        Self::named(&text, from).unwrap_or_else(|error| Self::Wrong(format!("{origin}: {error}")))
    }

    /// The place that the user's settings and the command line name.
    #[must_use]
    pub fn of_user() -> Self {
        StorageOptions::of_user().blobs
    }

    /// The object store with this address. Contents of more than `from` bytes go there; `None`: of more than 64 KiB.
    ///
    /// # Errors
    /// It is no address of an object store.
    pub fn named(text: &str, from: Option<u64>) -> Result<Self> {
        Ok(Self::Objects { place: checked(text)?, from: from.unwrap_or(FROM) })
    }

    /// The same place with another limit; `None`: the same.
    pub fn with_from(self, limit: Option<u64>) -> Self {
        match self {
            Self::Objects { place, from } => Self::Objects { place, from: limit.unwrap_or(from) },
            other => other,
        }
    }

    /// The same place with the limit of another one.
    #[must_use]
    pub fn with_limit_of(self, other: &Self) -> Self {
        let Self::Objects { from, .. } = other else { return self };
        self.with_from(Some(*from))
    }

    /// Fails if the settings name something that cannot be used.
    ///
    /// # Errors
    /// The reason.
    pub fn check(&self) -> Result<()> {
        if let Self::Wrong(why) = self { Err(ConfigError::usage(why.clone())) } else { Ok(()) }
    }

    /// Gives a store the place of its large contents. Nothing is connected to before the first of them.
    ///
    /// # Errors
    /// The settings name something that cannot be used, or this program was built without object stores.
    pub fn attach(&self, store: Store) -> Result<Store> {
        match self {
            Self::Database => Ok(store),
            Self::Objects { place, from } => attached(store, place, *from),
            Self::Wrong(_) => self.check().map(|()| store),
        }
    }
}

#[cfg(feature = "objects")]
fn checked(text: &str) -> Result<String> {
    match text.parse::<throughline_objects::ObjectPlace>() {
        Ok(place) => Ok(place.to_string()),
        Err(error) => Err(ConfigError::usage(format!("storage.blobs cannot be used: {error}"))),
    }
}

#[cfg(feature = "objects")]
fn attached(store: Store, place: &str, from: u64) -> Result<Store> {
    let place = place
        .parse::<throughline_objects::ObjectPlace>()
        .map_err(|error| ConfigError::usage(format!("storage.blobs cannot be used: {error}")))?;
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    let blobs = throughline_objects::ObjectBlobs::new(place, std::env::vars_os().filter_map(text));
    Ok(store.with_blobs(std::sync::Arc::new(blobs), from))
}

#[cfg(not(feature = "objects"))]
fn checked(_text: &str) -> Result<String> {
    Err(without_objects())
}

#[cfg(not(feature = "objects"))]
fn attached(_store: Store, _place: &str, _from: u64) -> Result<Store> {
    Err(without_objects())
}

#[cfg(not(feature = "objects"))]
fn without_objects() -> ConfigError {
    ConfigError::usage("this program was built without object stores; build it with the feature `objects`")
}
