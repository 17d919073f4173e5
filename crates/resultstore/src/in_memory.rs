//! Results in memory: the fake of tests, and the fallback when no database can be opened.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{ResultRef, SessionId};
use throughline_failpoint::FailPoint;

use crate::repository::{ResultInfo, ResultRepository, StoreError, StoredResult};

/// Keeps results until it is dropped.
#[derive(Debug, Default)]
pub struct InMemoryResultRepository {
    state: Mutex<StoredResults>,
    failures: FailPoint,
}

#[derive(Debug, Default)]
struct StoredResults {
    results: BTreeMap<(SessionId, ResultRef), StoredResult>,
}

impl InMemoryResultRepository {
    /// An empty repository.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets tests make calls fail.
    #[must_use]
    pub fn failures(&self) -> &FailPoint {
        &self.failures
    }

    /// Each change is one insertion or removal, so a poisoned lock holds a valid value.
    fn state(&self) -> MutexGuard<'_, StoredResults> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn working(&self) -> Result<MutexGuard<'_, StoredResults>, StoreError> {
        self.failures.check().map_err(StoreError::Other)?;
        Ok(self.state())
    }
}

#[async_trait]
impl ResultRepository for InMemoryResultRepository {
    async fn put(&self, result: &StoredResult) -> Result<(), StoreError> {
        match self.working()?.results.entry((result.session.clone(), result.id.clone())) {
            Entry::Vacant(place) => {
                place.insert(result.clone());
                Ok(())
            }
            Entry::Occupied(found) if found.get().content == result.content => Ok(()),
            Entry::Occupied(_) => Err(StoreError::Conflict(result.id.clone())),
        }
    }

    async fn get(&self, session: &SessionId, id: &ResultRef) -> Result<Option<StoredResult>, StoreError> {
        Ok(self.working()?.results.get(&(session.clone(), id.clone())).cloned())
    }

    async fn list(&self, session: &SessionId) -> Result<Vec<ResultInfo>, StoreError> {
        let state = self.working()?;
        let own = state.results.values().filter(|result| result.session == *session);
        let mut infos: Vec<ResultInfo> = own.map(StoredResult::info).collect();
        infos.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        Ok(infos)
    }

    async fn remove(&self, session: &SessionId, id: &ResultRef) -> Result<bool, StoreError> {
        Ok(self.working()?.results.remove(&(session.clone(), id.clone())).is_some())
    }
}

#[cfg(test)]
mod tests;
