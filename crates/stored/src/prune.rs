//! Deleting what is older than a retention, while other processes write.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use throughline_config::Retention;
use throughline_continuity::LogError;
use throughline_conversation::{Millis, SessionId};
use throughline_store::LockError;

use crate::error::{Error, Result};
use crate::handle::SessionHandle;
use crate::session_costs;
use crate::session_id::now;
use crate::storage::Storage;

/// Sessions that are looked up at once.
const BATCH: u64 = 200;

/// Sessions that are deleted side by side on a server, where a deletion waits for the disk and stops no other writer.
const SIDE_BY_SIDE: usize = 8;

/// How long deletions from a file follow each other before other writers have as much time.
const WORK: Duration = Duration::from_millis(20);

/// Audit entries that one statement removes.
const ENTRIES: u64 = 500;

/// How long audit entries are stored if sessions are stored for ever: a year.
const AUDIT_AGE: Duration = Duration::from_secs(365 * 24 * 3_600);

/// What became of an old session.
#[derive(Debug)]
pub enum PruneOutcome {
    /// It was deleted; in a dry run it would be.
    Deleted,
    /// It has a pin, and such sessions stay.
    Pinned,
    /// A process has it open.
    Open,
    /// It was not deleted, or not all of it. The next prune tries again.
    Failed(Error),
}

/// How much was deleted; in a dry run, how much would be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Sessions.
    pub sessions: u64,
    /// Old sessions that stay for their pins.
    pub pinned: u64,
    /// Old sessions that a process has open.
    pub open: u64,
    /// Old sessions whose deletion failed.
    pub failed: u64,
    /// Entries of the audit log.
    pub entries: u64,
}

impl Storage {
    /// Deletes the sessions that are older than a retention, as [`delete_session`](Self::delete_session) does, without their memos,
    /// and the entries of the audit log that are. `None`: only the entries that are older than a year. One of another agent is not
    /// marked: its user has deleted nothing, and it is stored again when its agent works on it. Each session is a few short
    /// transactions, and other writers of a file have as much time as the deletions.
    ///
    /// Rows are overwritten, and their room is used again; files are not written again, which would lock them.
    ///
    /// # Errors
    /// The sessions cannot be listed, or objects of deleted results are left in the object store. What was deleted until then is
    /// deleted.
    pub async fn prune(
        &self,
        retention: Option<Retention>,
        dry_run: bool,
        mut tell: impl FnMut(&SessionId, &PruneOutcome) + Send,
    ) -> Result<Pruned> {
        let mut pruned = Pruned::default();
        if let Some(retention) = retention {
            let before = ago(retention.age);
            let (mut after, mut began) = (String::new(), Instant::now());
            loop {
                let batch = self.store.idle_sessions(before, &after, BATCH).await?;
                let Some(last) = batch.last() else { break };
                last.as_str().clone_into(&mut after);
                let is_server = self.store.is_server();
                let outcomes = batch.into_iter().map(async |session| {
                    let outcome = self.prune_session(&session, retention, before, dry_run).await;
                    (session, outcome)
                });
                let width = if is_server { SIDE_BY_SIDE } else { 1 };
                let mut outcomes = futures_util::stream::iter(outcomes).buffer_unordered(width);
                let mut deleted = Vec::new();
                while let Some((session, outcome)) = outcomes.next().await {
                    if let Some(outcome) = outcome {
                        pruned.count(&outcome);
                        tell(&session, &outcome);
                        if matches!(outcome, PruneOutcome::Deleted) && !dry_run {
                            deleted.push(session);
                        }
                    }
                    if !is_server {
                        began = rested(began).await;
                    }
                }
                session_costs::forget(self.folder.root(), &deleted);
            }
        }
        let before = ago(retention.map_or(AUDIT_AGE, |retention| retention.age));
        pruned.entries = self.prune_audit(before, dry_run).await?;
        if pruned.sessions > 0 && !dry_run {
            self.store.remove_objects().await?;
        }
        Ok(pruned)
    }

    /// Deletes a session, if it is still old. `None`: it is not, or it is gone.
    async fn prune_session(
        &self,
        session: &SessionId,
        retention: Retention,
        before: Millis,
        dry_run: bool,
    ) -> Option<PruneOutcome> {
        if retention.keep_pinned {
            match self.is_pinned(session).await {
                Ok(true) => return Some(PruneOutcome::Pinned),
                Ok(false) => {}
                Err(error) => return Some(PruneOutcome::Failed(error)),
            }
        }
        if dry_run {
            return Some(PruneOutcome::Deleted);
        }
        let lock = match self.lock(session).await {
            Ok(lock) => lock,
            Err(LockError::Held { .. }) => return Some(PruneOutcome::Open),
            Err(error) => return Some(PruneOutcome::Failed(error.into())),
        };
        // It may have been written until it was locked.
        match self.store.is_idle(session, before).await {
            Ok(true) => {}
            Ok(false) => {
                lock.give_back().await;
                return None;
            }
            Err(error) => return Some(PruneOutcome::Failed(error.into())),
        }
        Some(match self.remove_session(session, lock).await {
            Ok(()) => PruneOutcome::Deleted,
            Err(error) => PruneOutcome::Failed(error),
        })
    }

    /// Returns true if a text of the session is pinned.
    async fn is_pinned(&self, session: &SessionId) -> Result<bool> {
        match self.log().newest(session, "mark").await {
            // Without a mark there is no pin, and the log need not be read.
            Ok(None) => return Ok(false),
            Ok(Some(_)) | Err(LogError::Damaged { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(!SessionHandle::new(self.clone(), session.clone()).log().await?.view.groups().pins().is_empty())
    }

    /// Removes the entries of the audit log before a time.
    async fn prune_audit(&self, before: Millis, dry_run: bool) -> Result<u64> {
        let audit = self.store.audit_log();
        if dry_run {
            return Ok(audit.count_before(before).await?);
        }
        let mut removed = 0;
        loop {
            let some = audit.remove_before(before, ENTRIES).await?;
            removed += some;
            if some < ENTRIES {
                return Ok(removed);
            }
            tokio::time::sleep(WORK).await;
        }
    }
}

impl Pruned {
    fn count(&mut self, outcome: &PruneOutcome) {
        let count = match outcome {
            PruneOutcome::Deleted => &mut self.sessions,
            PruneOutcome::Pinned => &mut self.pinned,
            PruneOutcome::Open => &mut self.open,
            PruneOutcome::Failed(_) => &mut self.failed,
        };
        *count += 1;
    }
}

/// The time that is so long ago.
fn ago(span: Duration) -> Millis {
    Millis(now().0.saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
}

/// Waits as long as work has been done since `began`, if that is long. Returns when the next work begins.
async fn rested(began: Instant) -> Instant {
    let worked = began.elapsed();
    if worked < WORK {
        return began;
    }
    tokio::time::sleep(worked.min(WORK * 10)).await;
    Instant::now()
}

#[cfg(test)]
mod tests;
