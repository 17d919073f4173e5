//! Which session a sub-agent works for, of a store without a database.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_conversation::SessionId;

use crate::database_error::DatabaseError;
use crate::session_parent::SessionParent;

/// The parents of sessions in memory. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct InMemorySessionParents {
    links: Arc<Mutex<Vec<SessionParent>>>,
}

impl InMemorySessionParents {
    /// Makes a session one of a sub-agent.
    ///
    /// # Errors
    /// None.
    pub async fn add(&self, link: &SessionParent) -> Result<(), DatabaseError> {
        self.links().push(link.clone());
        Ok(())
    }

    /// The sub-agents of a session, the one that began first first.
    ///
    /// # Errors
    /// None.
    pub async fn of(&self, parent: &SessionId) -> Result<Vec<SessionParent>, DatabaseError> {
        Ok(self.links().iter().filter(|link| link.parent == *parent).cloned().collect())
    }

    fn links(&self) -> MutexGuard<'_, Vec<SessionParent>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
