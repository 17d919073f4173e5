//! Logs that were read whole, for as long as nothing is appended to them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_conversation::{GroupStatus, SessionId};
use throughline_stored::{Result, SessionHandle, SessionLog};

/// Maximum number of logs in memory.
const MAX_LOGS: usize = 4;

/// A session, and its log.
type KnownLog = (SessionId, Arc<SessionLog>);

/// The logs of the sessions that were asked for last. One is read again when its last record has another number.
#[derive(Debug, Clone, Default)]
pub(crate) struct LogCache {
    /// The log that was asked for last is at the end.
    logs: Arc<Mutex<Vec<KnownLog>>>,
}

impl LogCache {
    /// The session's whole log, from memory if nothing was appended since it was read.
    ///
    /// # Errors
    /// The log cannot be read.
    pub(crate) async fn log(&self, handle: &SessionHandle) -> Result<Arc<SessionLog>> {
        let last = handle.storage.log().last(&handle.session).await?;
        if let Some(known) = self.known(&handle.session)
            && known.last == last
        {
            return Ok(known);
        }
        let log = Arc::new(handle.log().await?);
        // A deletion appends its mark first and overwrites the content afterwards, under the same last number.
        let unfinished = |log: &SessionLog| {
            log.groups().iter().any(|group| group.status == GroupStatus::Removed && group.messages > 0)
        };
        if !unfinished(&log) {
            self.remember(&handle.session, &log);
        }
        Ok(log)
    }

    /// Forgets a log whose records were overwritten or removed.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.locked().retain(|(id, _)| id != session);
    }

    fn known(&self, session: &SessionId) -> Option<Arc<SessionLog>> {
        let mut logs = self.locked();
        let at = logs.iter().position(|(id, _)| id == session)?;
        let found = logs.remove(at);
        let log = Arc::clone(&found.1);
        logs.push(found);
        Some(log)
    }

    fn remember(&self, session: &SessionId, log: &Arc<SessionLog>) {
        let mut logs = self.locked();
        logs.retain(|(id, _)| id != session);
        if logs.len() >= MAX_LOGS {
            logs.remove(0);
        }
        logs.push((session.clone(), Arc::clone(log)));
    }

    fn locked(&self) -> MutexGuard<'_, Vec<KnownLog>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
