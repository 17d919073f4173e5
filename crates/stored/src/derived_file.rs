//! Files of sums that follow from the logs. Without one its sums are computed again, so a fault of such a file fails nothing.

use serde::Serialize;
use serde::de::DeserializeOwned;
use throughline_config::{ConfigError, JsonFile};

/// The content; the default without a file. A file that cannot be used is removed.
pub(crate) fn read<T: DeserializeOwned + Default>(file: &JsonFile) -> T {
    file.read().unwrap_or_else(|error| {
        discard(file, &error);
        T::default()
    })
}

/// Changes the content. A data folder that cannot be written to leaves the file unchanged.
pub(crate) fn change<T: Serialize + DeserializeOwned + Default>(
    file: &JsonFile,
    change: impl FnOnce(&mut T),
) {
    if let Err(error) = file.change(change) {
        tracing::warn!(%error, "sums of sessions are not stored");
    }
}

/// Removes a file that cannot be used.
pub(crate) fn discard(file: &JsonFile, error: &ConfigError) {
    tracing::warn!(%error, "sums of sessions are computed again");
    if let Err(error) = file.remove() {
        tracing::warn!(%error, "the file of sums stays");
    }
}
