//! Erasing what deletions leave: the database is written again, which stops every writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use throughline_store::DatabaseError;
use throughline_stored::Storage;
use throughline_text::error_chain;
use tokio::sync::Mutex;

use crate::turns::Turns;

/// Writes the database again after deletions: once for all that came meanwhile, and not while a turn runs.
#[derive(Debug, Clone)]
pub(crate) struct Erasure(Arc<SharedErasure>);

#[derive(Debug)]
struct SharedErasure {
    storage: Storage,
    turns: Turns,
    /// How many deletions there were.
    deletions: AtomicU64,
    /// How many of them are erased. Locked while the database is written.
    erased: Mutex<u64>,
    /// A task waits until no turn runs.
    is_waiting: AtomicBool,
}

impl Erasure {
    pub(crate) fn new(storage: Storage, turns: Turns) -> Self {
        let (deletions, erased, is_waiting) = (AtomicU64::new(0), Mutex::new(0), AtomicBool::new(false));
        Self(Arc::new(SharedErasure { storage, turns, deletions, erased, is_waiting }))
    }

    /// Erases what was deleted. `false`: it is done when no turn runs, or after the next deletion, because another program reads
    /// the database.
    ///
    /// # Errors
    /// The database failed.
    pub(crate) async fn erase(&self) -> Result<bool, DatabaseError> {
        let deletion = self.0.deletions.fetch_add(1, Ordering::Relaxed) + 1;
        if self.0.turns.count() == 0 {
            return self.upto(deletion).await;
        }
        if !self.0.is_waiting.swap(true, Ordering::Relaxed) {
            tokio::spawn(self.clone().when_idle());
        }
        Ok(false)
    }

    async fn when_idle(self) {
        self.0.turns.idle().await;
        self.0.is_waiting.store(false, Ordering::Relaxed);
        if let Err(error) = self.upto(self.0.deletions.load(Ordering::Relaxed)).await {
            tracing::warn!(error = error_chain(&error), "deleted sessions are not erased from all files");
        }
    }

    /// Writes the database again, unless that was done since this deletion.
    async fn upto(&self, deletion: u64) -> Result<bool, DatabaseError> {
        let mut erased = self.0.erased.lock().await;
        if *erased >= deletion {
            return Ok(true);
        }
        let deletions = self.0.deletions.load(Ordering::Relaxed);
        let is_erased = self.0.storage.store.forget_deleted().await?;
        if is_erased {
            *erased = deletions;
        }
        Ok(is_erased)
    }
}

#[cfg(test)]
mod tests;
