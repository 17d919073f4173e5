//! The list of sessions in memory.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{Record, RecordBody, SessionId};
use throughline_failpoint::FailPoint;

use super::{InMemoryMessageLog, InMemorySnapshotStore};
use crate::directory::{DirectoryError, SessionDirectory, SessionInfo, SessionSummary};

/// Knows sessions while the process lives, and what a log in memory holds of them.
#[derive(Debug, Clone, Default)]
pub struct InMemorySessionDirectory {
    sessions: Arc<Mutex<BTreeMap<SessionId, SessionInfo>>>,
    log: Arc<InMemoryMessageLog>,
    snapshots: Arc<InMemorySnapshotStore>,
    failures: FailPoint,
}

impl InMemorySessionDirectory {
    /// A directory over a log and its snapshots: it lists what they hold, and removes from them.
    #[must_use]
    pub fn over(log: Arc<InMemoryMessageLog>, snapshots: Arc<InMemorySnapshotStore>) -> Self {
        Self { log, snapshots, ..Self::default() }
    }

    /// A directory that knows of no log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets tests make calls fail.
    #[must_use]
    pub fn failures(&self) -> &FailPoint {
        &self.failures
    }

    /// Notes that a session works in another folder from now on. Nothing happens if there is no such session.
    ///
    /// # Errors
    /// A test made the call fail.
    pub async fn set_workspace(&self, session: &SessionId, workspace: &str) -> Result<(), DirectoryError> {
        self.failures.check().map_err(DirectoryError::Other)?;
        if let Some(info) = self.sessions().get_mut(session) {
            workspace.clone_into(&mut info.workspace);
        }
        Ok(())
    }

    /// Every change is made in one step, so a poisoned lock holds a valid value.
    fn sessions(&self) -> MutexGuard<'_, BTreeMap<SessionId, SessionInfo>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn summary(info: &SessionInfo, records: &[Record]) -> SessionSummary {
    let receipts = || {
        records.iter().rev().filter_map(|record| match &record.body {
            RecordBody::Receipt(receipt) => Some(receipt),
            _ => None,
        })
    };
    SessionSummary {
        info: info.clone(),
        records: records.len() as u64,
        exchanges: records.last().map_or(0, |record| record.exchange.0),
        requests: receipts().count() as u64,
        last_activity: records.last().map_or(info.created, |record| record.at),
        last_tokens: receipts().next().map(|receipt| receipt.window.used.total()),
        parent: None,
    }
}

#[async_trait]
impl SessionDirectory for InMemorySessionDirectory {
    async fn create(&self, session: &SessionInfo) -> Result<(), DirectoryError> {
        self.failures.check().map_err(DirectoryError::Other)?;
        let mut sessions = self.sessions();
        if sessions.contains_key(&session.id) {
            return Err(DirectoryError::Exists(session.id.clone()));
        }
        sessions.insert(session.id.clone(), session.clone());
        Ok(())
    }

    async fn get(&self, session: &SessionId) -> Result<Option<SessionInfo>, DirectoryError> {
        self.failures.check().map_err(DirectoryError::Other)?;
        Ok(self.sessions().get(session).cloned())
    }

    async fn summary(&self, session: &SessionId) -> Result<Option<SessionSummary>, DirectoryError> {
        let info = self.get(session).await?;
        Ok(info.map(|info| self.log.with_records(session, |records| summary(&info, records))))
    }

    async fn list(&self) -> Result<Vec<SessionSummary>, DirectoryError> {
        self.failures.check().map_err(DirectoryError::Other)?;
        let sessions = self.sessions();
        let mut all: Vec<SessionSummary> = sessions
            .values()
            .map(|info| self.log.with_records(&info.id, |records| summary(info, records)))
            .collect();
        all.sort_by_key(|summary| Reverse((self.log.last_write(&summary.info.id), summary.last_activity)));
        Ok(all)
    }

    async fn remove(&self, session: &SessionId) -> Result<bool, DirectoryError> {
        self.failures.check().map_err(DirectoryError::Other)?;
        let known = self.sessions().remove(session).is_some();
        if known {
            self.log.forget(session);
            self.snapshots.forget(session);
        }
        Ok(known)
    }

    async fn rename(&self, session: &SessionId, title: &str) -> Result<bool, DirectoryError> {
        self.failures.check().map_err(DirectoryError::Other)?;
        let mut sessions = self.sessions();
        let Some(info) = sessions.get_mut(session) else {
            return Ok(false);
        };
        title.clone_into(&mut info.title);
        Ok(true)
    }
}
