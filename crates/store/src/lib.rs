//! Sessions in a database.
#![doc = include_str!("../README.md")]
//!
//! # What is in it
//!
//! [`DataDir`] says where the files are and makes them private. [`lock_session`] lets one process at a time
//! write a session. [`Store::open`] opens a database file, brings its tables up to date, and hands out the
//! adapters; [`Store::open_read_only`] reads one that cannot be written. The adapters are [`SeaMessageLog`], [`SeaSnapshotStore`],
//! [`SeaSessionDirectory`], [`SeaResultRepository`], and for what outlives sessions [`SeaNoteRepository`], [`SeaFileIndex`] and
//! [`SeaMemorySearch`]. [`DiskMemoryFiles`] reads the memory files.
//!
//! [`Store::with_key`] encrypts contexts, results and snapshots with an [`EncryptionKey`]. Records and all else are
//! stored unencrypted.
//!
//! [`Store::with_blobs`] stores the contents of large results outside the database, by `resultstore`'s port `BlobStore`.
//!
//! [`Store::open_server`] opens a database on a PostgreSQL server (feature `postgres`), with the same adapters.
//! [`Store::lock`] locks a session in either: by a file, or by a lease with a fencing token.
//!
//! A database file is in WAL mode: what was appended is there after the process is killed, at any moment. After a power failure
//! the newest appends may be missing, never a part of one; with [`Durability::Full`] none is.

#[cfg(feature = "postgres")]
mod announcements;
mod append;
mod blobs;
mod changes;
mod context_store;
mod copy;
mod data_dir;
mod database;
mod dialect;
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
mod inline_writer;
mod integrity;
mod json;
#[cfg(feature = "postgres")]
mod lease;
#[cfg(not(feature = "postgres"))]
#[path = "no_lease.rs"]
mod lease;
mod link;
mod lock;
mod lock_error;
mod memory_files;
mod memory_search;
mod memory_words;
mod message_log;
mod message_search;
mod migration;
mod no_room;
mod note_repository;
mod object_error;
mod objects;
mod open_error;
mod outside;
mod page;
#[cfg(feature = "postgres")]
mod pool;
mod private;
mod read_only;
mod redact;
mod result_repository;
mod row;
mod salvage;
mod sealed;
#[cfg(feature = "postgres")]
mod server;
mod server_url;
mod session_directory;
mod snapshot_store;
mod store;
mod usage_records;
mod writing;

pub use changes::LogChanges;
pub use context_store::SeaContextStore;
pub use copy::{CopiedMemos, CopiedSession, CopyError};
pub use data_dir::{DataDir, DataDirError};
pub use durability::Durability;
pub use encryption::EncryptionError;
pub use encryption_key::{EncryptionKey, InvalidKey, KeyId};
pub use fault::DatabaseError;
pub use file_index::SeaFileIndex;
pub use holder::Holder;
pub use lock::{SessionLock, lock_session};
pub use lock_error::LockError;
pub use memory_files::DiskMemoryFiles;
pub use memory_search::SeaMemorySearch;
pub use message_log::SeaMessageLog;
pub use note_repository::SeaNoteRepository;
pub use object_error::ObjectError;
pub use open_error::OpenError;
pub use result_repository::SeaResultRepository;
pub use salvage::{RecoverError, RecoveredSession, Recovery, recover};
pub use server_url::{InvalidServerUrl, ServerUrl};
pub use session_directory::SeaSessionDirectory;
pub use snapshot_store::SeaSnapshotStore;
pub use store::Store;
