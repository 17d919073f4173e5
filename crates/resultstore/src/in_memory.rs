//! Results in memory: the fake of tests, and the fallback when no database can be opened.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{ResultRef, SessionId};

use crate::{ResultInfo, ResultRepository, StoreError, StoredResult};

/// Keeps results until it is dropped.
#[derive(Debug, Default)]
pub struct InMemoryResultRepository {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    results: BTreeMap<(SessionId, ResultRef), StoredResult>,
    failure: Option<String>,
}

impl InMemoryResultRepository {
    /// An empty repository.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes every call from here on fail with this text, as a broken disk would. What is stored stays.
    pub fn fail_with(&self, text: impl Into<String>) {
        self.state().failure = Some(text.into());
    }

    /// Ends what [`fail_with`](Self::fail_with) began.
    pub fn recover(&self) {
        self.state().failure = None;
    }

    /// A poisoned lock is taken as it is: each change is one insertion or removal.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn working(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let state = self.state();
        match &state.failure {
            Some(text) => Err(StoreError::Other(text.clone().into())),
            None => Ok(state),
        }
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
