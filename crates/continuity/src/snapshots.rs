//! The port to kept snapshots.

use std::error::Error;
use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::SessionId;

use crate::snapshot::Snapshot;

/// Stores the newest snapshot of each session.
///
/// # Contract
/// - [`save`](SnapshotStore::save) MUST replace the session's snapshot as a whole: after a crash there is the
///   old one or the new one.
/// - [`load`](SnapshotStore::load) MUST give a snapshot equal to the one that was saved, or
///   [`SnapshotError::Damaged`] when what is kept is not what was saved.
/// - [`remove`](SnapshotStore::remove) MUST succeed without a snapshot, and MUST remove a damaged one.
/// - Sessions MUST NOT see each other's snapshots.
///
/// # When it fails
/// Nothing is lost. A session without a snapshot opens from its whole log, which takes longer.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait SnapshotStore: Debug + Send + Sync {
    /// Saves a snapshot, which replaces the previous one.
    async fn save(&self, snapshot: &Snapshot) -> Result<(), SnapshotError>;

    /// The session's snapshot, when it has one.
    async fn load(&self, session: &SessionId) -> Result<Option<Snapshot>, SnapshotError>;

    /// Forgets the session's snapshot.
    async fn remove(&self, session: &SessionId) -> Result<(), SnapshotError>;
}

const _: Option<&dyn SnapshotStore> = None;

/// Why a snapshot was not kept or not found.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// There is no such session. Create it first.
    #[error("there is no session {0}")]
    NoSession(SessionId),
    /// What is kept is not what was saved. The log still has everything.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
    /// There is no room, or nothing may be written. The text says where and what helps.
    #[error("the snapshot cannot be written: {0}")]
    Full(String),
    /// Anything else.
    #[error("the snapshot store failed")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}
