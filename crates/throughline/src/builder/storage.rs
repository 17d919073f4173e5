//! Where the session of a builder is stored.

use std::path::PathBuf;
use std::sync::Arc;

use throughline_continuity::{InMemorySnapshotStore, MessageLog, SnapshotStore};
use throughline_resultstore::{InMemoryResultRepository, ResultRepository};
use throughline_store::EncryptionKey;

use super::Builder;
use throughline_config::{StorageBlobs, StorageDatabase, StorageKey, StorageOptions};
use throughline_stored::Storage;
use throughline_stored::{Error, Result};

/// The data folder and the ports that the caller brings.
#[derive(Default)]
pub(super) struct StorageChoice {
    folder: Option<PathBuf>,
    key: Option<EncryptionKey>,
    database: Option<String>,
    blobs: Option<String>,
    blobs_from: Option<u64>,
    log: Option<Arc<dyn MessageLog>>,
    snapshots: Option<Arc<dyn SnapshotStore>>,
    results: Option<Arc<dyn ResultRepository>>,
}

impl StorageChoice {
    /// The data folder that is named.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.folder.clone()
    }

    /// What the caller has chosen, else what the settings say.
    fn options(&self, settings: StorageOptions) -> Result<StorageOptions> {
        let database = match &self.database {
            Some(address) => StorageDatabase::named(address)?,
            None => settings.database,
        };
        let blobs = match &self.blobs {
            Some(address) => StorageBlobs::named(address, None)?,
            None => settings.blobs,
        };
        Ok(StorageOptions {
            database,
            blobs: blobs.with_from(self.blobs_from),
            key: self.key.clone().map_or(settings.key, StorageKey::Given),
            ..settings
        })
    }

    /// Opens the storage, with the options of the settings unless the caller has chosen others.
    ///
    /// # Errors
    /// Snapshots or results without a log, or the storage cannot be opened.
    pub(super) async fn open(self, settings: StorageOptions) -> Result<Storage> {
        if self.log.is_none() && (self.snapshots.is_some() || self.results.is_some()) {
            return Err(Error::usage(
                "Builder::snapshots and Builder::results need Builder::log: without a log of your own, sessions are \
                 stored in the data folder, with their snapshots and results",
            ));
        }
        let options = self.options(settings)?;
        let Some(log) = self.log else { return Storage::open_with(self.folder, options).await };
        let storage = Storage::open_with_own_log(self.folder, options).await?;
        let snapshots = self.snapshots.unwrap_or_else(|| Arc::new(InMemorySnapshotStore::default()));
        let results = self.results.unwrap_or_else(|| Arc::new(InMemoryResultRepository::default()));
        Ok(storage.with_ports(log, snapshots, results))
    }
}

impl Builder {
    /// The data folder. Defaults to the user's own, which the command line uses too.
    #[must_use]
    pub fn data_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.storage.folder = Some(folder.into());
        self
    }

    /// Stores the session on a PostgreSQL server: `postgres://user@host/database`. Its lock is there too, so that programs on
    /// several machines work on the sessions of one database. Defaults to what the settings say, else a file in the data folder.
    ///
    /// A password may be in the address, in the variable `PGPASSWORD` or in the file `~/.pgpass`. No error shows it.
    /// Needs the cargo feature `postgres`.
    #[must_use]
    pub fn database(mut self, address: impl Into<String>) -> Self {
        self.storage.database = Some(address.into());
        self
    }

    /// Stores the contents of large results in an object store: `s3://bucket/prefix`, or `file:///folder`. Credentials, region
    /// and endpoint of S3 are taken from the `AWS_*` variables. Defaults to what the settings say, else the database.
    ///
    /// Needs the cargo feature `objects`.
    #[must_use]
    pub fn blobs(mut self, address: impl Into<String>) -> Self {
        self.storage.blobs = Some(address.into());
        self
    }

    /// Stores contents of more than this many bytes in the object store. Defaults to 65,536.
    #[must_use]
    pub fn blobs_from(mut self, bytes: u64) -> Self {
        self.storage.blobs_from = Some(bytes);
        self
    }

    /// The key that session contexts, stored results and snapshots are encrypted with in the data folder. Defaults to the one
    /// that the settings name. [`Builder::log`] and its companions are not encrypted by it. It is written as 64 hexadecimal
    /// digits, or 32 bytes in base64.
    ///
    /// # Errors
    /// [`Error::Usage`] if the text is no key. The error does not show it.
    pub fn encryption_key(mut self, text: &str) -> Result<Self> {
        let key = EncryptionKey::from_text(text);
        self.storage.key =
            Some(key.map_err(|error| Error::usage(format!("Builder::encryption_key: {error}")))?);
        Ok(self)
    }

    /// Stores the records of sessions in a log of the caller's own. Snapshots and large results are in memory then, unless
    /// [`snapshots`](Self::snapshots) and [`results`](Self::results) are set too.
    #[must_use]
    pub fn log(mut self, log: Arc<dyn MessageLog>) -> Self {
        self.storage.log = Some(log);
        self
    }

    /// Stores snapshots in a place of the caller's own. Requires a [`log`](Self::log).
    #[must_use]
    pub fn snapshots(mut self, snapshots: Arc<dyn SnapshotStore>) -> Self {
        self.storage.snapshots = Some(snapshots);
        self
    }

    /// Stores large results in a place of the caller's own. Requires a [`log`](Self::log).
    #[must_use]
    pub fn results(mut self, results: Arc<dyn ResultRepository>) -> Self {
        self.storage.results = Some(results);
        self
    }
}

#[cfg(test)]
mod tests;
