//! What is readable of a damaged database, saved into a new one.

use std::path::{Path, PathBuf};

use throughline_store::{DataDir, Recovery, Store, recover};

use crate::error::{Attempt as _, Error, Result};

/// A new data folder, and what was saved into it.
#[derive(Debug)]
pub struct RecoveredFolder {
    /// The folder, next to the damaged database, which is unchanged.
    pub folder: PathBuf,
    /// What was saved.
    pub saved: Recovery,
    /// False: the database opens, its check finds nothing, and no record is lost.
    pub is_damaged: bool,
}

/// The database of a data folder, which may be damaged.
#[derive(Debug, Clone)]
pub struct DamagedDatabase {
    root: PathBuf,
    database: PathBuf,
}

impl DamagedDatabase {
    /// The one in this data folder; `None`: in the user's own.
    ///
    /// # Errors
    /// There is no database.
    pub fn find(data_dir: Option<PathBuf>) -> Result<Self> {
        let root = DataDir::place(data_dir)
            .ok_or_else(|| Error::missing("there is no data folder: set HOME or name one"))?;
        let database = DataDir::database_in(&root);
        if !database.is_file() {
            return Err(Error::missing(format!("there is no database {}", database.display())));
        }
        Ok(Self { root, database })
    }

    /// Saves what is readable into a new folder. `session`: only this one, by its id or the start of one.
    ///
    /// # Errors
    /// Nothing is readable. Then there is no new folder.
    pub async fn recover(&self, session: Option<&str>) -> Result<RecoveredFolder> {
        let folder = free_folder(&self.root)
            .attempt(|| "could not create a folder for the new database".to_owned())?;
        let new = DataDir::new(Some(folder.clone()))?.database();
        match recover(&self.database, &new, session).await {
            Ok(saved) => {
                let lost = saved.sessions.iter().any(|session| !session.lost.is_empty());
                let is_damaged = lost || !self.is_sound().await;
                Ok(RecoveredFolder { folder, saved, is_damaged })
            }
            Err(error) => {
                // Nothing was saved into it.
                let _ = std::fs::remove_dir_all(&folder);
                Err(Error::Other(error.into()))
            }
        }
    }

    /// Returns true if the database opens and its check finds no damage. It is only read.
    async fn is_sound(&self) -> bool {
        match Store::open_read_only(&self.database).await {
            Ok(store) => store.check().await.is_ok_and(|found| found.is_empty()),
            Err(_) => false,
        }
    }
}

/// A new folder next to the database.
fn free_folder(root: &Path) -> std::io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let folder = root.join(format!("recovered-{number}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}
