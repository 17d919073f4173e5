//! Where the sessions of a process are stored, and the contexts on them.

use std::path::PathBuf;
use std::sync::Arc;

use throughline_config::{ConfigError, StorageDatabase, StorageOptions};
use throughline_contexts::{Contexts, InMemoryStorage, NoticeSink};
use throughline_providers::models::ModelTable;
use throughline_stored::Storage;

use crate::models::TableFacts;
use crate::stored_sessions::StoredSessions;

/// Where the sessions of a process are stored. The user's settings are not read.
#[derive(Debug, Clone, Default)]
pub struct HostOptions {
    /// The data folder. Default: that of the user, which the program `throughline` uses too.
    pub data_dir: Option<PathBuf>,
    /// A PostgreSQL server. Default: a file in the data folder.
    pub database: Option<String>,
    /// The folder that new sessions belong to. Default: the current one.
    pub folder: Option<PathBuf>,
}

/// Why there are no contexts.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// An option cannot be used.
    #[error(transparent)]
    Options(#[from] ConfigError),
    /// The storage cannot be opened.
    #[error(transparent)]
    Storage(Box<throughline_stored::Error>),
}

impl HostOptions {
    /// Opens the storage. `sink` receives the notices of all contexts.
    ///
    /// # Errors
    /// [`HostError`]; nothing is open then.
    pub async fn open(self, sink: Option<Arc<dyn NoticeSink>>) -> Result<Contexts, HostError> {
        let database = self.database.as_deref().map(StorageDatabase::named).transpose()?;
        let options = StorageOptions { database: database.unwrap_or_default(), ..StorageOptions::default() };
        let folder = throughline_config::workspace(self.folder.as_deref())?;
        let storage = Storage::open_with(self.data_dir, options).await;
        let storage = storage.map_err(|error| HostError::Storage(Box::new(error)))?;
        Ok(stored_contexts(storage, folder, ModelTable::builtin(), sink))
    }
}

/// Contexts on a storage and a table of models. New sessions belong to `folder`.
#[must_use]
pub fn stored_contexts(
    storage: Storage,
    folder: PathBuf,
    models: ModelTable,
    sink: Option<Arc<dyn NoticeSink>>,
) -> Contexts {
    Contexts::new(Arc::new(StoredSessions { storage, folder }), Arc::new(TableFacts(models)), sink)
}

/// Contexts in memory. They are gone with the value.
#[must_use]
pub fn memory_contexts(models: ModelTable, sink: Option<Arc<dyn NoticeSink>>) -> Contexts {
    Contexts::new(Arc::new(InMemoryStorage::default()), Arc::new(TableFacts(models)), sink)
}
