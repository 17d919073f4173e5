//! A session in one file, to continue it on another computer.
//!
//! The file holds a database with the session and its sub-agents, byte for byte: records, receipts, stored results, contexts and
//! the snapshot. Encrypted values stay encrypted, so the other computer needs the same key. Memos belong to a folder, and owners
//! to a server, so both are left out.

mod file;

use std::io::Write;
use std::path::Path;

use throughline_continuity::{SessionDirectory as _, SessionInfo};
use throughline_conversation::SessionId;
use throughline_store::{CopiedSession, CopyError, Durability, Store};

use crate::error::{Attempt as _, Error, Result};
use crate::storage::Storage;

/// The database in a temporary folder.
const DATABASE: &str = "bundle.db";

/// What a bundle holds, and what of it was new.
#[derive(Debug)]
pub struct BundledSession {
    /// The session.
    pub session: SessionInfo,
    /// Number of its sub-agents, theirs among them.
    pub agents: usize,
    /// Records of all of them.
    pub records: u64,
    /// Stored results of all of them.
    pub results: u64,
    /// All records were there already, byte for byte.
    pub same: bool,
}

/// Returns true if a file begins as a bundle.
///
/// # Errors
/// The file cannot be read.
pub fn is_bundle(path: &Path) -> Result<bool> {
    file::is_bundle(path)
}

impl Storage {
    /// Writes a session and its sub-agents as a bundle.
    ///
    /// # Errors
    /// There is no such session, the storage failed, another process writes the session meanwhile, or `out` cannot be written:
    /// [`Error::Other`] with the `std::io::Error`.
    pub async fn write_bundle(
        &self,
        session: &SessionId,
        out: &mut (dyn Write + Send),
    ) -> Result<BundledSession> {
        let folder = tempfile::tempdir().attempt(|| "could not create a temporary folder".to_owned())?;
        let database = folder.path().join(DATABASE);
        let bundle = Store::open_with(&database, Durability::Normal).await?;
        let sessions = family(&self.store, session).await?;
        let copied = copy(&self.store, &bundle, &sessions).await?;
        for one in &sessions {
            let released = bundle.session_owners().release(one).await;
            released.map_err(|error| Error::Other(error.into()))?;
        }
        let bundled = copied.describe(&bundle, &sessions).await?;
        // Behind the close, a connection may still hold what it wrote outside of the file.
        if !bundle.fold().await.map_err(|error| Error::Other(error.into()))? {
            let why = "another program reads the bundle while it is made; try again";
            return Err(Error::Other(std::io::Error::other(why).into()));
        }
        bundle.close().await.map_err(|error| Error::Other(error.into()))?;
        file::write(&database, folder.path(), out)?;
        Ok(bundled)
    }

    /// Stores what a bundle holds, and what is missing of a session whose beginning is there.
    ///
    /// # Errors
    /// The file is no bundle, is damaged, or is of a later version; another session has the id of one in it, or has continued
    /// otherwise; or the storage failed.
    pub async fn import_bundle(&self, path: &Path) -> Result<BundledSession> {
        let folder = tempfile::tempdir().attempt(|| "could not create a temporary folder".to_owned())?;
        let database = folder.path().join(DATABASE);
        file::read(path, folder.path(), &database)?;
        let bundle = Store::open_with(&database, Durability::Normal).await?;
        let first = first_session(&bundle, path).await?;
        let sessions = family(&bundle, &first).await?;
        let mut locks = Vec::new();
        for one in &sessions {
            locks.push(self.lock(one).await?);
        }
        let copied = copy(&bundle, &self.store, &sessions).await?;
        copied.describe(&self.store, &sessions).await
    }
}

/// What was copied.
#[derive(Debug, Default)]
struct Copied {
    new: Vec<SessionId>,
    records: u64,
    results: u64,
}

impl Copied {
    async fn describe(self, store: &Store, sessions: &[SessionId]) -> Result<BundledSession> {
        let missing = || Error::missing("the session is not in the copy");
        let first = sessions.first().ok_or_else(missing)?;
        let session = store.sessions().get(first).await?.ok_or_else(missing)?;
        let same = self.new.is_empty() && self.records == 0;
        let agents = sessions.len() - 1;
        Ok(BundledSession { session, agents, records: self.records, results: self.results, same })
    }
}

/// Copies sessions. A session that is refused is an error before any is copied. After an error, `to` has none that it did not have
/// before.
async fn copy(from: &Store, to: &Store, sessions: &[SessionId]) -> Result<Copied> {
    let mut copied = Copied::default();
    for session in sessions {
        from.check_copy(session, to).await.map_err(refusal)?;
    }
    for session in sessions {
        match from.copy_session(session, to).await {
            Ok(CopiedSession::Copied { records, results }) => {
                copied.new.push(session.clone());
                copied.records += records;
                copied.results += results;
            }
            Ok(CopiedSession::Extended { records, results }) => {
                copied.records += records;
                copied.results += results;
            }
            Ok(CopiedSession::Same) => {}
            Err(error) => {
                for session in &copied.new {
                    to.sessions().remove(session).await?;
                }
                return Err(refusal(error));
            }
        }
    }
    Ok(copied)
}

fn refusal(error: CopyError) -> Error {
    match error {
        CopyError::NoSession(_) => Error::missing(error.to_string()),
        CopyError::Taken { .. }
        | CopyError::Longer { .. }
        | CopyError::Diverged { .. }
        | CopyError::OtherKey { .. } => Error::Refused(error.to_string()),
        error => Error::Other(error.into()),
    }
}

/// A session and its sub-agents, each before those that work for it.
async fn family(store: &Store, session: &SessionId) -> Result<Vec<SessionId>> {
    let agents = store.session_parents().descendants(session).await?;
    Ok([session.clone()].into_iter().chain(agents.into_iter().rev()).collect())
}

/// The session of a bundle that is no sub-agent of another one in it.
async fn first_session(bundle: &Store, path: &Path) -> Result<SessionId> {
    let listed = bundle.sessions().list().await?;
    let is_listed = |id: &SessionId| listed.iter().any(|one| one.info.id == *id);
    let mut first = listed.iter().filter(|one| !one.parent.as_ref().is_some_and(is_listed));
    let first = first.next().ok_or_else(|| Error::usage(format!("{} holds no session", path.display())))?;
    Ok(first.info.id.clone())
}
