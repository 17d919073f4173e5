//! The key that a database was encrypted with.

use std::path::PathBuf;

use throughline_config::StorageOptions;
use throughline_store::{DataDir, KeyId, Store};

use crate::error::{Error, Result};

/// A database, and the key that its contents are encrypted with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedKey {
    /// The database.
    pub place: PathBuf,
    /// `None`: nothing in it is encrypted.
    pub key: Option<KeyId>,
}

/// Reads which key a database was encrypted with. The key itself is not needed. `None`: there is no database yet.
///
/// # Errors
/// The database cannot be read.
pub async fn recorded_key(options: StorageOptions, data_dir: Option<PathBuf>) -> Result<Option<RecordedKey>> {
    let store = match (options.database.into_server(), DataDir::existing(data_dir)) {
        (Some(server), _) => Store::open_server(&server, options.durability).await?,
        (None, Some(folder)) => Store::open_read_only(&folder.database()).await?,
        (None, None) => return Ok(None),
    };
    let key = store.recorded_key().await.map_err(|error| Error::Other(error.into()))?;
    let place = store.path().to_owned();
    store.close().await.map_err(|error| Error::Other(error.into()))?;
    Ok(Some(RecordedKey { place, key }))
}
