//! Sessions that survive: the log that every record goes to, the snapshot that makes opening quick, and
//! [`resume`], which gives back the view as it was when the process ended, however it ended.
//!
//! The log is the truth. A [`Snapshot`] is only a view that was kept, with the place in the log that it covers:
//! [`resume`] takes the newest one and the records after it, and makes the view from the whole log when the
//! snapshot is damaged or does not fit. [`close_open_calls`] answers the calls that a crash cut off, [`stop_note`] says where a turn was stopped.
//!
//! Ports: [`MessageLog`], [`SnapshotStore`], [`SessionDirectory`]. `store` implements them on SQLite. The in-memory
//! implementations here are test fakes and the fallback of a session whose disk fails. The feature `contract` holds the
//! checks that every implementation passes.
//!
//! It does NOT know: how records are stored, when to compact or to take a snapshot, what a model is, and
//! who holds the session open (`store` has the lock).

mod checkpoint;
mod close_open_calls;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod directory;
mod log;
mod memory;
mod resume;
mod snapshot;
mod snapshots;
mod title;

pub use checkpoint::{CheckpointJson, CheckpointPolicy, checkpoint_json};
pub use close_open_calls::{close_open_calls, continue_note, is_stop_note, stop_note};
#[cfg(any(test, feature = "mock"))]
pub use directory::MockSessionDirectory;
pub use directory::{DirectoryError, SessionDirectory, SessionInfo, SessionSummary};
#[cfg(any(test, feature = "mock"))]
pub use log::MockMessageLog;
pub use log::{LogError, LogPage, MessageLog, Part, Unreadable, read_all};
pub use memory::{InMemoryMessageLog, InMemorySessionDirectory, InMemorySnapshotStore};
pub use resume::{ResumeError, Resumed, resume};
pub use snapshot::{Snapshot, snapshot_of};
#[cfg(any(test, feature = "mock"))]
pub use snapshots::MockSnapshotStore;
pub use snapshots::{SnapshotError, SnapshotStore};
pub use title::{is_title_of, title_of};
