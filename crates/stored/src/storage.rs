//! The data folder, and the database in it or on a server.

mod finding;
mod opening;
mod reading;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use throughline_agent::AgentBuilder;
use throughline_continuity::{MessageLog, SessionDirectory as _, SessionInfo, SessionSummary, SnapshotStore};
use throughline_conversation::SessionId;
use throughline_resultstore::ResultRepository;
use throughline_store::{DataDir, ForkPorts, LockError, LogChanges, SessionLock, SessionParent, Store};

use self::reading::Lost;
use crate::error::{Attempt as _, Result};
use crate::spending::DayCost;
use throughline_config::has_command_line;

/// The data folder, and the open database in it or on a server.
#[derive(Debug, Clone)]
pub struct Storage {
    /// The folder.
    pub folder: DataDir,
    /// The folder as the caller named it; `None`: the user's own.
    pub named: Option<PathBuf>,
    /// The database.
    pub store: Store,
    ports: Option<Ports>,
    /// Why no session may be written: the key that the database is encrypted with is missing.
    key_problem: Option<Arc<str>>,
    /// What reads have found lost.
    lost: Arc<Mutex<Lost>>,
    /// What the limit of a day compares, together for all sessions of the process.
    pub(crate) day_cost: Arc<DayCost>,
}

/// Storage of sessions that the embedder brings.
#[derive(Debug, Clone)]
struct Ports {
    log: Arc<dyn MessageLog>,
    snapshots: Arc<dyn SnapshotStore>,
    results: Arc<dyn ResultRepository>,
}

impl Storage {
    /// Stores records, snapshots and results in other places than the database. The list of sessions, memos and locks stay
    /// in the data folder.
    #[must_use]
    pub fn with_ports(
        self,
        log: Arc<dyn MessageLog>,
        snapshots: Arc<dyn SnapshotStore>,
        results: Arc<dyn ResultRepository>,
    ) -> Self {
        Self { ports: Some(Ports { log, snapshots, results }), ..self }
    }

    /// The log of every session.
    #[must_use]
    pub fn log(&self) -> Arc<dyn MessageLog> {
        let stored = || Arc::new(self.store.message_log()) as Arc<dyn MessageLog>;
        self.ports.as_ref().map_or_else(stored, |ports| Arc::clone(&ports.log))
    }

    /// Returns true if the log is in another place than the database.
    pub fn has_ports(&self) -> bool {
        self.ports.is_some()
    }

    /// The snapshots.
    #[must_use]
    pub fn snapshots(&self) -> Arc<dyn SnapshotStore> {
        let stored = || Arc::new(self.store.snapshots()) as Arc<dyn SnapshotStore>;
        self.ports.as_ref().map_or_else(stored, |ports| Arc::clone(&ports.snapshots))
    }

    /// The stored tool results.
    #[must_use]
    pub fn results(&self) -> Arc<dyn ResultRepository> {
        let stored = || Arc::new(self.store.results()) as Arc<dyn ResultRepository>;
        self.ports.as_ref().map_or_else(stored, |ports| Arc::clone(&ports.results))
    }

    /// Gives an agent the log, the snapshots and the results.
    #[must_use]
    pub fn attach(&self, builder: AgentBuilder) -> AgentBuilder {
        builder.log(self.log()).snapshots(self.snapshots()).results(self.results())
    }

    /// Erases deleted memos and titles from the files of the database if the log is elsewhere; the database's own log has
    /// done it.
    pub async fn erase_deleted(&self) -> Result<()> {
        if self.ports.is_some() && !self.store.forget_deleted().await? {
            let held = "another program has the database open; delete the turn again";
            return Err(held).attempt(|| "deleted bytes could not be erased".to_owned());
        }
        Ok(())
    }

    /// Returns true if the sessions are on a server that the command line names.
    #[must_use]
    pub fn is_named_server(&self) -> bool {
        self.store.is_server() && has_command_line()
    }

    /// Says when to look for records that another task or process has appended.
    #[must_use]
    pub fn changes(&self) -> LogChanges {
        if self.has_ports() { LogChanges::by_looking() } else { self.store.changes() }
    }

    /// Takes the lock of a session: [`Store::lock`].
    ///
    /// # Errors
    /// Another process has the session open, or the lock cannot be had.
    pub async fn lock(&self, session: &SessionId) -> Result<SessionLock, LockError> {
        self.store.lock(self.folder.root(), session).await
    }

    /// Creates a session as a copy of another: its records and its stored results.
    ///
    /// # Errors
    /// The new id is taken, or the storage failed.
    pub async fn fork(&self, from: &SessionId, to: &SessionInfo) -> Result<()> {
        let Some(ports) = &self.ports else { return Ok(self.store.fork(from, to).await?) };
        let sessions = self.store.sessions();
        let ports = ForkPorts { sessions: &sessions, log: &*ports.log, results: &*ports.results };
        Ok(ports.fork(from, to).await?)
    }

    /// The users that made sessions, by the ids of these.
    ///
    /// # Errors
    /// The database failed.
    pub async fn owners(&self) -> Result<HashMap<String, String>> {
        #[cfg(feature = "sqlite")]
        return Ok(self.store.session_owners().list().await?);
        #[cfg(not(feature = "sqlite"))]
        Ok(HashMap::new())
    }

    /// The users that made these sessions, of those that a user made.
    ///
    /// # Errors
    /// The database failed.
    pub async fn owners_of(&self, sessions: &[&str]) -> Result<HashMap<String, String>> {
        #[cfg(feature = "sqlite")]
        return Ok(self.store.session_owners().of(sessions).await?);
        #[cfg(not(feature = "sqlite"))]
        {
            let _ = sessions;
            Ok(HashMap::new())
        }
    }

    /// Notes that a session is one of a sub-agent that another session has started.
    ///
    /// # Errors
    /// The database failed.
    pub async fn add_agent(
        &self,
        session: &SessionId,
        parent: &SessionId,
        kind: &str,
        call: &str,
    ) -> Result<()> {
        let link = SessionParent {
            session: session.clone(),
            parent: parent.clone(),
            kind: kind.to_owned(),
            call: call.to_owned(),
        };
        Ok(self.store.session_parents().add(&link).await?)
    }

    /// The sub-agents of a session, the one that began first first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn agents_of(&self, session: &SessionId) -> Result<Vec<SessionParent>> {
        Ok(self.store.session_parents().of(session).await?)
    }

    /// The same with the figures of their sessions.
    ///
    /// # Errors
    /// The database failed.
    pub async fn agents_with_figures(
        &self,
        session: &SessionId,
    ) -> Result<(Vec<SessionParent>, Vec<SessionSummary>)> {
        let (mut links, mut figures) = (Vec::new(), Vec::new());
        for link in self.agents_of(session).await? {
            if let Some(found) = self.session(&link.session).await? {
                links.push(link);
                figures.push(found);
            }
        }
        Ok((links, figures))
    }

    /// Lists the session, unless it is listed.
    ///
    /// # Errors
    /// The database failed.
    pub async fn create_session(&self, info: &SessionInfo) -> Result<()> {
        let sessions = self.store.sessions();
        if sessions.get(&info.id).await?.is_none() {
            sessions.create(info).await?;
        }
        Ok(())
    }

    /// Removes a session in which no model was asked: its records, its place in the list and its lock file.
    ///
    /// # Errors
    /// The storage failed.
    pub async fn discard(&self, session: &SessionId, lock: SessionLock) -> Result<()> {
        self.store.sessions().remove(session).await?;
        lock.remove().attempt(|| format!("could not remove the lock of session {session}"))
    }
}
