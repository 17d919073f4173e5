//! Logs that were read whole, for as long as nothing is appended to them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_continuity::SessionDirectory as _;
use throughline_conversation::{GroupStatus, Millis, SessionId};
use throughline_stored::{Result, SessionHandle};

use super::stored_log::StoredLog;

/// Maximum number of logs in memory.
const MAX_LOGS: usize = 4;

/// The log of a session.
#[derive(Debug)]
struct KnownLog {
    session: SessionId,
    /// When the session was created: another one may have its id.
    created: Millis,
    log: Arc<StoredLog>,
}

/// The logs of the sessions that were asked for last. One is read again when its last record has another number, or another session
/// has its id.
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
    pub(crate) async fn log(&self, handle: &SessionHandle) -> Result<Arc<StoredLog>> {
        // Asked before the log is read: a session that is created meanwhile is read again by the next call.
        let info = handle.storage.store.sessions().get(&handle.session).await?;
        let Some(created) = info.map(|info| info.created) else {
            self.forget(&handle.session);
            return Ok(Arc::new(StoredLog::read(handle).await?));
        };
        let last = handle.storage.log().last(&handle.session).await?;
        if let Some(known) = self.known(&handle.session, created)
            && known.last == last
        {
            return Ok(known);
        }
        let log = Arc::new(StoredLog::read(handle).await?);
        if !log.lost.is_empty() {
            let lost: Vec<String> = log.lost.iter().map(ToString::to_string).collect();
            tracing::warn!(session = %handle.session, lost = lost.join("; "), "records are lost");
        }
        // A deletion appends its mark first and overwrites the content afterwards, under the same last number.
        let unfinished = |log: &StoredLog| {
            log.groups().iter().any(|group| group.status == GroupStatus::Removed && group.messages > 0)
        };
        if !unfinished(&log) {
            self.remember(&handle.session, created, &log);
        }
        Ok(log)
    }

    /// Forgets a log whose records were overwritten or removed.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.locked().retain(|known| known.session != *session);
    }

    fn known(&self, session: &SessionId, created: Millis) -> Option<Arc<StoredLog>> {
        let mut logs = self.locked();
        let at = logs.iter().position(|known| known.session == *session)?;
        let found = logs.remove(at);
        if found.created != created {
            return None;
        }
        let log = Arc::clone(&found.log);
        logs.push(found);
        Some(log)
    }

    fn remember(&self, session: &SessionId, created: Millis, log: &Arc<StoredLog>) {
        let mut logs = self.locked();
        logs.retain(|known| known.session != *session);
        if logs.len() >= MAX_LOGS {
            logs.remove(0);
        }
        logs.push(KnownLog { session: session.clone(), created, log: Arc::clone(log) });
    }

    fn locked(&self) -> MutexGuard<'_, Vec<KnownLog>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
