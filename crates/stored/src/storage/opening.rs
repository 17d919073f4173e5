//! Opening the data folder, and the key that its database needs.

use std::path::PathBuf;
use std::sync::Arc;

use throughline_store::{DataDir, EncryptionError, Store};

use super::Storage;
use crate::error::{Error, Result};
use throughline_config::{StorageDatabase, StorageKey, StorageOptions};

impl Storage {
    /// Opens the data folder: the one given, or the user's own. What a power failure may take, and the key, are by the user's
    /// settings.
    ///
    /// # Errors
    /// As for [`open_with`](Self::open_with).
    pub async fn open(folder: Option<PathBuf>) -> Result<Self> {
        Self::open_with(folder, StorageOptions::of_user()).await
    }

    /// Opens a data folder with a database file of its own, whatever the user's settings say.
    ///
    /// # Errors
    /// As for [`open_with`](Self::open_with).
    pub async fn open_apart(folder: Option<PathBuf>) -> Result<Self> {
        Self::open_with(folder, StorageOptions::default()).await
    }

    /// Opens the data folder with these options: [`Config::storage`](throughline_config::Config::storage).
    ///
    /// # Errors
    /// The key cannot be read, the folder cannot be created, the database cannot be opened, or it is encrypted with another
    /// key.
    pub async fn open_with(folder: Option<PathBuf>, options: StorageOptions) -> Result<Self> {
        let storage = Self::open_unchecked(folder, options).await?;
        storage.check_key()?;
        Ok(storage)
    }

    /// Opens the data folder to read it. If it can be written it is opened as [`open`](Self::open) does; if not, what is
    /// there is read, and every write fails. Without its key, what is not encrypted is read, and no session is changed.
    ///
    /// # Errors
    /// There is no database that can be read, or the key that the settings name cannot be.
    pub async fn open_to_read(folder: Option<PathBuf>) -> Result<Self> {
        let options = StorageOptions::of_user();
        let failed = match Self::open_unchecked(folder.clone(), options.clone()).await {
            Err(error) if error.is_unwritable_storage() => error,
            opened => return opened,
        };
        let existing = match options.database.server()? {
            Some(_) => None,
            None => DataDir::existing(folder.clone()),
        };
        let Some(existing) = existing else { return Err(failed) };
        let store = options.blobs.attach(Store::open_read_only(&existing.database()).await?)?;
        Self::of(existing, folder, store, &options.key).await
    }

    /// Opens the data folder to delete from it, which needs no key: one that cannot be read is done without.
    ///
    /// # Errors
    /// The folder cannot be created, or the database cannot be opened.
    pub async fn open_to_delete(folder: Option<PathBuf>) -> Result<Self> {
        let options = StorageOptions { key: StorageKey::None, ..StorageOptions::of_user() };
        Self::open_unchecked(folder, options).await
    }

    /// Opens the data folder for sessions whose log is elsewhere; give it to [`with_ports`](Self::with_ports). With a database
    /// the list of sessions and the memos are in it; without the feature `sqlite` they are in memory.
    ///
    /// # Errors
    /// As for [`open_with`](Self::open_with).
    pub async fn open_with_own_log(folder: Option<PathBuf>, options: StorageOptions) -> Result<Self> {
        #[cfg(feature = "sqlite")]
        return Self::open_with(folder, options).await;
        #[cfg(not(feature = "sqlite"))]
        {
            options.blobs.check()?;
            let named = folder.clone();
            let folder = DataDir::without_database(folder)?;
            let store = Store::in_memory(folder.root());
            Self::of(folder, named, store, &options.key).await
        }
    }

    async fn open_unchecked(folder: Option<PathBuf>, options: StorageOptions) -> Result<Self> {
        if !cfg!(feature = "sqlite") {
            // Before anything is created.
            let path = DataDir::place(folder).unwrap_or_default();
            return Err(throughline_store::OpenError::NoDatabase { path }.into());
        }
        let named = folder.clone();
        // Before anything is created.
        options.blobs.check()?;
        let key = options.key.load().await?.map_or(options.key, StorageKey::Given);
        if let Some(server) = options.database.server()? {
            let folder = DataDir::without_database(folder)?;
            let store = options.blobs.attach(Store::open_server(server, options.durability).await?)?;
            return Self::of(folder, named, store, &key).await;
        }
        if let StorageDatabase::Unknown(why) = &options.database
            && DataDir::existing(folder.clone()).is_none()
        {
            return Err(Error::Refused(format!(
                "there is no database in the data folder, and the settings may name a server, but cannot be read: {why}"
            )));
        }
        let folder = DataDir::new(folder)?;
        let (file, durability) = (folder.database(), options.durability);
        let store = match options.serial {
            true => Store::open_serial(&file, durability).await?,
            false => Store::open_with(&file, durability).await?,
        };
        let store = options.blobs.attach(store)?;
        Self::of(folder, named, store, &key).await
    }

    async fn of(folder: DataDir, named: Option<PathBuf>, store: Store, key: &StorageKey) -> Result<Self> {
        let store = match key.load().await? {
            Some(key) => store.with_key(key),
            None => store,
        };
        let key_problem = match (store.check_key().await, key) {
            (Ok(()), _) => None,
            // The next reading of the database reports it.
            (Err(EncryptionError::Database(_)), _) => None,
            (Err(problem), StorageKey::Unknown(why)) => {
                Some(format!("{problem}. The settings say no key: {why}"))
            }
            (Err(problem), _) => Some(problem.to_string()),
        };
        let key_problem = key_problem.map(Arc::from);
        Ok(Self {
            folder,
            named,
            store,
            ports: None,
            key_problem,
            lost: Arc::default(),
            day_cost: Arc::default(),
        })
    }

    /// Fails if no session may be written, because the key that the database is encrypted with is missing.
    ///
    /// # Errors
    /// [`Error::Refused`], which says what to set.
    pub fn check_key(&self) -> Result<()> {
        match &self.key_problem {
            Some(problem) => Err(Error::Refused(problem.to_string())),
            None => Ok(()),
        }
    }
}
