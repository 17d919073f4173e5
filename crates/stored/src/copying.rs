//! Copies of sessions and memos between data folders and servers.

use std::path::{Path, PathBuf};

use throughline_config::StorageBlobs;
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_store::{CopiedMemos, CopiedSession, DataDir, Durability, ServerUrl, Store};

use crate::error::{Attempt as _, Error, Result};

/// A database, and the folder of the locks of its sessions.
#[derive(Debug)]
pub struct StorePlace {
    store: Store,
    locks: PathBuf,
}

/// What was copied.
#[derive(Debug, Default)]
pub struct StoreCopy {
    /// Sessions, with their records and stored results.
    pub sessions: u64,
    /// Records.
    pub records: u64,
    /// Stored results.
    pub results: u64,
    /// Sessions that were there already.
    pub same: u64,
    /// Sessions that were not copied, and why.
    pub failed: Vec<(SessionId, Error)>,
    /// The memos.
    pub memos: CopiedMemos,
}

impl StorePlace {
    /// A place to copy from: a data folder that has a database, or the address of a server. Its large results are in `blobs`.
    ///
    /// # Errors
    /// There is no such place, or it cannot be opened.
    pub async fn existing(named: &str, blobs: &StorageBlobs) -> Result<Self> {
        let folder = Path::new(named);
        if named.contains("://") || DataDir::existing(Some(folder.to_owned())).is_some() {
            return Self::open(named, blobs).await;
        }
        Err(Error::missing(format!("there is no database in {named}: name a data folder or a server")))
    }

    /// A place to copy to, which is created if it is a folder that does not exist.
    ///
    /// # Errors
    /// It cannot be opened.
    pub async fn open(named: &str, blobs: &StorageBlobs) -> Result<Self> {
        if named.contains("://") {
            let server = named
                .parse::<ServerUrl>()
                .map_err(|error| Error::usage(format!("a place cannot be used: {error}")))?;
            let store = blobs.attach(Store::open_server(&server, Durability::Full).await?)?;
            return Ok(Self { store, locks: PathBuf::new() });
        }
        if Path::new(named).is_file() {
            return Err(Error::usage(format!("{named} is a file; name its folder")));
        }
        let folder = DataDir::new(Some(PathBuf::from(named)))?;
        let store = blobs.attach(Store::open_with(&folder.database(), Durability::Full).await?)?;
        Ok(Self { store, locks: folder.root().to_owned() })
    }

    /// The name of a place, without a password.
    #[must_use]
    pub fn shown(named: &str) -> String {
        named.parse::<ServerUrl>().map_or_else(|_| named.to_owned(), |server| server.to_string())
    }

    /// Copies sessions byte for byte and verifies the copies. No ids: all sessions, and the memos.
    ///
    /// # Errors
    /// Both places are the same one, an id cannot be one, or the memos were not copied. A session that was not copied is in
    /// [`StoreCopy::failed`].
    pub async fn copy_to(&self, to: &Self, ids: &[String]) -> Result<StoreCopy> {
        if self.store.path() == to.store.path() {
            return Err(Error::usage(format!("both places are {}", self.store.path().display())));
        }
        let mut copied = StoreCopy::default();
        for session in self.chosen(ids).await? {
            match self.copy_session(to, &session).await {
                Ok(
                    CopiedSession::Copied { records, results } | CopiedSession::Extended { records, results },
                ) => {
                    copied.sessions += 1;
                    copied.records += records;
                    copied.results += results;
                }
                Ok(CopiedSession::Same) => copied.same += 1,
                Err(error) => copied.failed.push((session, error)),
            }
        }
        if ids.is_empty() {
            copied.memos =
                self.store.copy_memos(&to.store).await.map_err(|error| Error::Other(error.into()))?;
        }
        Ok(copied)
    }

    /// Closes the database.
    ///
    /// # Errors
    /// What was written is not on disk.
    pub async fn close(self) -> Result<()> {
        self.store.close().await.map_err(|error| Error::Other(error.into()))
    }

    /// The sessions to copy, the one that was written last at the end: so the copies have the same order.
    async fn chosen(&self, named: &[String]) -> Result<Vec<SessionId>> {
        if named.is_empty() {
            let listed = self.store.sessions().list().await?;
            return Ok(listed.into_iter().rev().map(|session| session.info.id).collect());
        }
        named.iter().map(|id| SessionId::new(id.clone()).attempt(|| format!("{id:?} is no id"))).collect()
    }

    /// Copies a session that no process writes meanwhile, in either place.
    async fn copy_session(&self, to: &Self, session: &SessionId) -> Result<CopiedSession> {
        let _own = self.store.lock(&self.locks, session).await?;
        let _other = to.store.lock(&to.locks, session).await?;
        self.store.copy_session(session, &to.store).await.map_err(|error| Error::Other(error.into()))
    }
}

impl StoreCopy {
    /// Returns true if nothing is missing in the copy.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.failed.is_empty() && self.memos.taken.is_empty()
    }
}
