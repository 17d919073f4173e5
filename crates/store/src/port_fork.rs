//! Copying a session over ports.

use throughline_continuity::{
    DirectoryError, LogError, MessageLog, Part, SessionDirectory, SessionInfo, read_all,
};
use throughline_conversation::{Seq, SessionId};
use throughline_resultstore::{ResultRepository, StoreError, StoredResult};

/// Where a session and its copy are.
#[derive(Debug, Clone, Copy)]
pub struct ForkPorts<'a> {
    /// The list of sessions.
    pub sessions: &'a dyn SessionDirectory,
    /// The records.
    pub log: &'a dyn MessageLog,
    /// The stored results.
    pub results: &'a dyn ResultRepository,
}

/// Why a copy failed.
#[derive(Debug, thiserror::Error)]
enum CopyFault {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Results(#[from] StoreError),
}

impl ForkPorts<'_> {
    /// Creates a session as a copy of another: its records and its stored results. A copy that fails is removed, except for
    /// results that the repository does not remove.
    ///
    /// # Errors
    /// The new id is taken, or a port failed.
    pub async fn fork(self, from: &SessionId, to: &SessionInfo) -> Result<(), DirectoryError> {
        self.sessions.create(to).await?;
        let Err(fault) = self.copy(from, &to.id).await else { return Ok(()) };
        if let Err(error) = self.remove(&to.id).await {
            tracing::warn!(session = %to.id, %error, "a part of a copy that failed is left");
        }
        Err(DirectoryError::Other(fault.into()))
    }

    async fn copy(self, from: &SessionId, to: &SessionId) -> Result<(), CopyFault> {
        let records = read_all(self.log, from, Seq(0), Part::All).await?.records;
        for listed in self.results.list(from).await? {
            if let Some(result) = self.results.get(from, &listed.id).await? {
                self.results.put(&StoredResult { session: to.clone(), ..result }).await?;
            }
        }
        Ok(self.log.append(to, &records).await?)
    }

    /// Removes the session, and the results of it.
    async fn remove(self, session: &SessionId) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        self.sessions.remove(session).await?;
        for result in self.results.list(session).await? {
            self.results.remove(session, &result.id).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
