//! Sessions on disk: SeaORM on SQLite behind the storage ports of `continuity`, `resultstore` and
//! `memory`.
//!
//! [`DataDir`] says where the files are and makes them private. [`lock_session`] lets one process at a time
//! write a session. [`Store::open`] opens the database, brings its tables up to date, and hands out the
//! adapters; [`Store::open_read_only`] reads one that cannot be written. The adapters are [`SeaMessageLog`], [`SeaSnapshotStore`], [`SeaSessionDirectory`], [`SeaResultRepository`], and for what
//! outlives sessions [`SeaNoteRepository`], [`SeaFileIndex`] and [`SeaMemorySearch`]. [`DiskMemoryFiles`] reads the
//! memory files.
//!
//! [`Store::with_key`] encrypts contexts, results and snapshots with an [`EncryptionKey`]. Records and all else are
//! stored unencrypted.
//!
//! The database is in WAL mode: what was appended is there after the process is killed, at any moment. After a power failure
//! the newest appends may be missing, never a part of one; with [`Durability::Full`] none is.
//!
//! It does NOT know: what a record means (it keeps them as JSON), when to write one, what a model is, or what
//! takes its place when the disk fails.

mod append;
mod context_store;
mod data_dir;
mod database;
mod durability;
mod encryption;
mod encryption_key;
mod end;
mod entity;
mod fault;
mod file_index;
mod fork;
mod holder;
mod identity;
mod json;
mod lock;
mod memory_files;
mod memory_search;
mod memory_words;
mod message_log;
mod migration;
mod no_room;
mod note_repository;
mod page;
mod private;
mod read_only;
mod redact;
mod result_repository;
mod row;
mod salvage;
mod sealed;
mod session_directory;
mod snapshot_store;
mod store;
mod usage_records;
mod writer;

pub use context_store::SeaContextStore;
pub use data_dir::{DataDir, DataDirError};
pub use durability::Durability;
pub use encryption::EncryptionError;
pub use encryption_key::{EncryptionKey, InvalidKey, KeyId};
pub use fault::DatabaseError;
pub use file_index::SeaFileIndex;
pub use holder::Holder;
pub use lock::{LockError, SessionLock, lock_session};
pub use memory_files::DiskMemoryFiles;
pub use memory_search::SeaMemorySearch;
pub use message_log::SeaMessageLog;
pub use note_repository::SeaNoteRepository;
pub use result_repository::SeaResultRepository;
pub use salvage::{RecoverError, RecoveredSession, Recovery, recover};
pub use session_directory::SeaSessionDirectory;
pub use snapshot_store::SeaSnapshotStore;
pub use store::{OpenError, Store};
