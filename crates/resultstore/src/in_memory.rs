//! Results in memory: the fake of tests, and the fallback when no database can be opened.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use async_trait::async_trait;
use throughline_conversation::{ResultRef, SessionId};
use throughline_failpoint::InMemoryStore;

use crate::repository::{ResultInfo, ResultRepository, StoreError, StoredResult};

/// Holds results until it is dropped.
pub type InMemoryResultRepository = InMemoryStore<StoredResults>;

/// Results by session and reference.
#[derive(Debug, Default)]
pub struct StoredResults {
    results: BTreeMap<(SessionId, ResultRef), StoredResult>,
}

#[async_trait]
impl ResultRepository for InMemoryResultRepository {
    async fn put(&self, result: &StoredResult) -> Result<(), StoreError> {
        match self
            .call()
            .map_err(StoreError::Other)?
            .results
            .entry((result.session.clone(), result.id.clone()))
        {
            Entry::Vacant(place) => {
                place.insert(result.clone());
                Ok(())
            }
            Entry::Occupied(found) if found.get().content == result.content => Ok(()),
            Entry::Occupied(_) => Err(StoreError::Conflict(result.id.clone())),
        }
    }

    async fn get(&self, session: &SessionId, id: &ResultRef) -> Result<Option<StoredResult>, StoreError> {
        Ok(self.call().map_err(StoreError::Other)?.results.get(&(session.clone(), id.clone())).cloned())
    }

    async fn list(&self, session: &SessionId) -> Result<Vec<ResultInfo>, StoreError> {
        let state = self.call().map_err(StoreError::Other)?;
        let own = state.results.values().filter(|result| result.session == *session);
        let mut infos: Vec<ResultInfo> = own.map(StoredResult::info).collect();
        infos.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        Ok(infos)
    }

    async fn remove(&self, session: &SessionId, id: &ResultRef) -> Result<bool, StoreError> {
        Ok(self.call().map_err(StoreError::Other)?.results.remove(&(session.clone(), id.clone())).is_some())
    }
}

#[cfg(test)]
mod tests;
