//! Snapshots in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_conversation::SessionId;
use throughline_failpoint::FailPoint;

use crate::snapshot::Snapshot;
use crate::snapshots::{SnapshotError, SnapshotStore};

/// Keeps snapshots while one of its clones lives.
#[derive(Debug, Clone, Default)]
pub struct InMemorySnapshotStore {
    kept: Arc<Mutex<BTreeMap<SessionId, Kept>>>,
    failures: FailPoint,
}

#[derive(Debug)]
struct Kept {
    snapshot: Snapshot,
    digest: u64,
}

impl InMemorySnapshotStore {
    /// A store without snapshots.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets tests make calls fail.
    #[must_use]
    pub fn failures(&self) -> &FailPoint {
        &self.failures
    }

    /// Changes the kept snapshot behind the store's back, as a damaged disk would.
    pub fn damage(&self, session: &SessionId, change: impl FnOnce(&mut Snapshot)) {
        if let Some(kept) = self.kept().get_mut(session) {
            change(&mut kept.snapshot);
        }
    }

    pub(super) fn forget(&self, session: &SessionId) {
        self.kept().remove(session);
    }

    /// A digest detects a damaged snapshot, so a poisoned lock is no danger.
    fn kept(&self) -> MutexGuard<'_, BTreeMap<SessionId, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SnapshotStore for InMemorySnapshotStore {
    async fn save(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.failures.check().map_err(SnapshotError::Other)?;
        let digest = snapshot.digest().map_err(|error| SnapshotError::Other(error.into()))?;
        self.kept().insert(snapshot.session.clone(), Kept { snapshot: snapshot.clone(), digest });
        Ok(())
    }

    async fn load(&self, session: &SessionId) -> Result<Option<Snapshot>, SnapshotError> {
        self.failures.check().map_err(SnapshotError::Other)?;
        let kept = self.kept();
        let Some(Kept { snapshot, digest }) = kept.get(session) else {
            return Ok(None);
        };
        let now = snapshot.digest().map_err(|error| SnapshotError::Other(error.into()))?;
        if now != *digest {
            return Err(SnapshotError::Damaged("its content does not match its digest".to_owned()));
        }
        Ok(Some(snapshot.clone()))
    }

    async fn remove(&self, session: &SessionId) -> Result<(), SnapshotError> {
        self.failures.check().map_err(SnapshotError::Other)?;
        self.forget(session);
        Ok(())
    }
}
