//! Session contexts in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use throughline_conversation::{Seq, SessionId};
use throughline_failpoint::InMemoryStore;

use crate::contexts::{ContextError, ContextStore, StoredContext};

/// Holds contexts until its last clone is dropped. Every session may have some; none need be created first.
pub type InMemoryContextStore = InMemoryStore<StoredContexts>;

/// Contexts by session and the record that they cover.
#[derive(Debug, Default)]
pub struct StoredContexts(BTreeMap<(SessionId, Seq), StoredContext>);

#[async_trait]
impl ContextStore for InMemoryContextStore {
    async fn save(&self, context: &StoredContext) -> Result<(), ContextError> {
        let place = (context.session.clone(), context.covers);
        self.call().map_err(ContextError::Other)?.0.insert(place, context.clone());
        Ok(())
    }

    async fn list(&self, session: &SessionId) -> Result<Vec<StoredContext>, ContextError> {
        let all = self.call().map_err(ContextError::Other)?;
        let first = (session.clone(), Seq(0));
        Ok(all
            .0
            .range(first..)
            .map(|(_, one)| one)
            .take_while(|one| one.session == *session)
            .cloned()
            .collect())
    }

    async fn remove(&self, session: &SessionId) -> Result<(), ContextError> {
        self.call().map_err(ContextError::Other)?.0.retain(|(owner, _), _| owner != session);
        Ok(())
    }
}
