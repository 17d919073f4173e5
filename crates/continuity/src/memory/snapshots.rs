//! Snapshots in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_conversation::SessionId;

use super::Switch;
use crate::{Snapshot, SnapshotError, SnapshotStore};

/// Keeps snapshots while the process lives.
#[derive(Debug, Default)]
pub struct InMemorySnapshotStore {
    kept: Mutex<BTreeMap<SessionId, Kept>>,
    switch: Switch,
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

    /// Makes the next call fail with this text.
    pub fn fail_next(&self, text: &str) {
        self.switch.fail_next(text);
    }

    /// Makes every call fail with this text until [`InMemorySnapshotStore::heal`].
    pub fn fail_with(&self, text: &str) {
        self.switch.fail_with(text);
    }

    /// Makes calls work again.
    pub fn heal(&self) {
        self.switch.heal();
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

    /// A poisoned lock is taken as it is: a damaged snapshot is noticed by its digest.
    fn kept(&self) -> MutexGuard<'_, BTreeMap<SessionId, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SnapshotStore for InMemorySnapshotStore {
    async fn save(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.switch.check().map_err(SnapshotError::Other)?;
        let digest = snapshot.digest().map_err(|error| SnapshotError::Other(error.into()))?;
        self.kept().insert(snapshot.session.clone(), Kept { snapshot: snapshot.clone(), digest });
        Ok(())
    }

    async fn load(&self, session: &SessionId) -> Result<Option<Snapshot>, SnapshotError> {
        self.switch.check().map_err(SnapshotError::Other)?;
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
        self.switch.check().map_err(SnapshotError::Other)?;
        self.forget(session);
        Ok(())
    }
}
