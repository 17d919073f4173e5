//! The port's implementation: one copy for each session, kept while there is room.

use std::sync::{Arc, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{Seq, SessionId};
use throughline_history::{HistoryDatabase, QueryAnswer, QueryError, SessionHistory};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::copy::Copy;
use crate::limits::Limits;
use crate::limits::{COPIES, COPY_BYTES, GRACE};

/// Runs queries over copies of sessions' histories, each in a sandbox of its own.
///
/// Needs a tokio runtime with a clock. A copy takes about the size of the session's texts; those of the sessions
/// that were asked last are kept.
#[derive(Debug, Default)]
pub struct SqliteHistory {
    limits: Limits,
    copies: std::sync::Mutex<Vec<Kept>>,
}

/// A session's place. Its copy is made by the first query; one that failed while it grew is gone.
type Slot = Arc<Mutex<Option<Copy>>>;

#[derive(Debug)]
struct Kept {
    session: SessionId,
    slot: Slot,
    bytes: usize,
}

impl SqliteHistory {
    /// A database with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, copies: std::sync::Mutex::default() }
    }

    /// The session's place, moved to the end of the list: the newest use stands last.
    fn slot(&self, session: &SessionId) -> Slot {
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match copies.iter().position(|kept| kept.session == *session) {
            Some(place) => copies.remove(place),
            None => Kept { session: session.clone(), slot: Slot::default(), bytes: 0 },
        };
        let slot = Arc::clone(&kept.slot);
        copies.push(kept);
        slot
    }

    /// Notes a copy's size, and lets go of those that were used longest ago when all take too much.
    fn weigh(&self, session: &SessionId, bytes: usize) {
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = copies.iter_mut().find(|kept| kept.session == *session) {
            kept.bytes = bytes;
        }
        let all = |copies: &[Kept]| copies.iter().map(|kept| kept.bytes).fold(0, usize::saturating_add);
        while copies.len() > 1 && (copies.len() > COPIES || all(&copies) > COPY_BYTES) {
            copies.remove(0);
        }
    }

    fn remove(&self, session: &SessionId) {
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        copies.retain(|kept| kept.session != *session);
    }

    fn too_slow(&self) -> QueryError {
        QueryError::TooSlow(u64::try_from(self.limits.deadline.as_millis()).unwrap_or(u64::MAX))
    }
}

#[async_trait]
impl HistoryDatabase for SqliteHistory {
    async fn query<'a>(&self, history: &SessionHistory<'a>, sql: &str) -> Result<QueryAnswer, QueryError> {
        let patience = self.limits.deadline.saturating_add(GRACE);
        let slot = self.slot(history.session);
        // Held by a query that did not stop, or by one that runs before this one.
        let mut guard = timeout(patience, slot.lock_owned()).await.map_err(|_| self.too_slow())?;
        if guard.as_ref().is_some_and(|copy| copy.marks != *history.marks) {
            *guard = None;
        }
        let through = guard.as_ref().map_or(Seq(0), |copy| copy.through);
        let part = history.rows_after(through).await?;
        let marks = history.marks.clone();
        let (guard, bytes) = blocking(move || {
            let mut copy = match guard.take() {
                Some(copy) => copy,
                None => Copy::empty(marks).map_err(other)?,
            };
            copy.grow(&part).map_err(other)?;
            let bytes = copy.bytes;
            *guard = Some(copy);
            Ok((guard, bytes))
        })
        .await?;
        self.weigh(history.session, bytes);
        let (sql, limits) = (sql.to_owned(), self.limits);
        let answer = blocking(move || ask(&guard, &sql, &limits));
        timeout(patience, answer).await.unwrap_or_else(|_| Err(self.too_slow()))
    }

    async fn forget(&self, session: &SessionId) {
        self.remove(session);
    }
}

fn ask(guard: &OwnedMutexGuard<Option<Copy>>, sql: &str, limits: &Limits) -> Result<QueryAnswer, QueryError> {
    match guard.as_ref() {
        Some(copy) => copy.query(sql, limits),
        None => Err(other("the copy of the history is gone")),
    }
}

/// Runs work that blocks, on a thread for that.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, QueryError> + Send + 'static,
) -> Result<T, QueryError> {
    spawn_blocking(work).await.map_err(other)?
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> QueryError {
    QueryError::Other(error.into())
}
