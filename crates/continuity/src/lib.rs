//! Sessions that survive the end of a process.
#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! The log is the truth. A [`Snapshot`] is a stored view with the place in the log that it covers: [`resume`] takes the
//! newest one and the records after it, and projects the whole log if the snapshot is damaged or does not fit.
//! [`close_open_calls`] answers the calls that a crash cut off, [`stop_note`] marks where a turn was stopped.
//!
//! Ports: [`MessageLog`], [`SnapshotStore`], [`SessionDirectory`], [`ContextStore`]. `store` implements them on a database. The
//! in-memory implementations here are test fakes and the fallback of a session whose disk fails. The feature `contract` holds
//! the checks that every implementation passes.

mod checkpoint;
mod close_open_calls;
mod contexts;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod directory;
mod log;
mod memory;
mod projected;
mod resume;
mod snapshot;
mod snapshots;
mod title;

pub use checkpoint::{CheckpointJson, CheckpointPolicy, checkpoint_json, live_checkpoint};
pub use close_open_calls::{close_open_calls, is_stop_note, no_call_note, stop_note};
pub use contexts::{ContextError, ContextSource, ContextStore, StoredContext};
#[cfg(any(test, feature = "mock"))]
pub use directory::MockSessionDirectory;
pub use directory::{DirectoryError, SessionDirectory, SessionInfo, SessionSummary};
#[cfg(any(test, feature = "mock"))]
pub use log::MockMessageLog;
pub use log::{LogError, LogPage, MessageLog, Part, Unreadable, merged, read_all};
pub use memory::{InMemoryContextStore, InMemoryMessageLog, InMemorySessionDirectory, InMemorySnapshotStore};
pub use projected::{Pages, ProjectedLog, project_log};
pub use resume::{ResumeError, Resumed, resume};
pub use snapshot::{Snapshot, snapshot_of};
#[cfg(any(test, feature = "mock"))]
pub use snapshots::MockSnapshotStore;
pub use snapshots::{SnapshotError, SnapshotStore};
pub use title::{is_title_of, title_of, title_of_fork};
