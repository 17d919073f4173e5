//! Sessions that survive: the log that every record goes to, the snapshot that makes opening quick, and
//! [`resume`], which gives back the view as it was when the process ended, however it ended.
//!
//! The log is the truth. A [`Snapshot`] is only a view that was kept, with the place in the log that it covers:
//! [`resume`] takes the newest one and the records after it, and makes the view from the whole log when the
//! snapshot is damaged or does not fit. [`seal`] closes the calls that a crash cut off.
//!
//! Ports: [`MessageLog`], [`SnapshotStore`], [`SessionDirectory`]. `store` implements them on SQLite. The
//! in-memory ones here are test fakes and what a session falls back on when the disk fails. The feature
//! `contract` holds the checks that all of them pass.
//!
//! It does NOT know: how records are stored, when to compact or to take a snapshot, what a model is, and
//! who holds the session open (`store` has the lock).

#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod directory;
mod groups;
mod log;
mod memory;
mod resume;
mod seal;
mod snapshot;
mod snapshots;

#[cfg(any(test, feature = "mock"))]
pub use directory::MockSessionDirectory;
pub use directory::{DirectoryError, SessionDirectory, SessionInfo, SessionSummary};
pub use groups::{Change, Group, GroupError, Purge, Shown, groups, mark, purge, window_edit};
#[cfg(any(test, feature = "mock"))]
pub use log::MockMessageLog;
pub use log::{LogError, MessageLog, Part};
pub use memory::{InMemoryMessageLog, InMemorySessionDirectory, InMemorySnapshotStore};
pub use resume::{ResumeError, Resumed, Unreadable, resume};
pub use seal::seal;
pub use snapshot::{Snapshot, snapshot_of};
#[cfg(any(test, feature = "mock"))]
pub use snapshots::MockSnapshotStore;
pub use snapshots::{SnapshotError, SnapshotStore};
pub use throughline_conversation::fingerprint;
