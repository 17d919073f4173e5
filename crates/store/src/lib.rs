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
//! [`SeaSessionParents`] knows the sessions of sub-agents. [`SeaUserTokens`], [`SeaSessionOwners`] and [`SeaAuditLog`] have what servers know of their users.
//!
//! [`Store::open_server`] opens a database on a PostgreSQL server (feature `postgres`), with the same adapters.
//! [`Store::lock`] locks a session in either: by a file, or by a lease with a fencing token.
//!
//! A database file is in WAL mode: what was appended is there after the process is killed, at any moment. After a power failure
//! the newest appends may be missing, never a part of one; with [`Durability::Full`] none is.

#[cfg(feature = "postgres")]
mod announcements;
#[cfg(feature = "sqlite")]
mod append;
#[cfg(feature = "sqlite")]
mod audit_log;
#[cfg(feature = "sqlite")]
mod blobs;
mod changes;
#[cfg(feature = "sqlite")]
mod context_store;
#[cfg(feature = "sqlite")]
mod copy;
mod data_dir;
#[cfg(feature = "sqlite")]
mod database;
mod database_error;
#[cfg(feature = "sqlite")]
mod dialect;
mod durability;
#[cfg(feature = "sqlite")]
mod encryption;
mod encryption_error;
mod encryption_key;
#[cfg(feature = "sqlite")]
mod end;
#[cfg(feature = "sqlite")]
mod entity;
#[cfg(feature = "sqlite")]
mod fault;
#[cfg(feature = "sqlite")]
mod file_index;
#[cfg(feature = "sqlite")]
mod fork;
mod holder;
mod identity;
#[cfg(feature = "sqlite")]
mod idle_sessions;
#[cfg(feature = "sqlite")]
mod inline_writer;
#[cfg(feature = "sqlite")]
mod integrity;
#[cfg(feature = "sqlite")]
mod json;
#[cfg(feature = "postgres")]
mod lease;
#[cfg(all(feature = "sqlite", not(feature = "postgres")))]
#[path = "no_lease.rs"]
mod lease;
#[cfg(feature = "sqlite")]
mod link;
mod listed_session;
mod lock;
mod lock_error;
mod memory_files;
#[cfg(feature = "sqlite")]
mod memory_search;
#[cfg(not(feature = "sqlite"))]
mod memory_session_parents;
#[cfg(feature = "sqlite")]
mod memory_words;
#[cfg(feature = "sqlite")]
mod message_log;
#[cfg(feature = "sqlite")]
mod message_search;
#[cfg(feature = "sqlite")]
mod migration;
#[cfg(feature = "sqlite")]
mod no_room;
mod no_room_error;
#[cfg(feature = "sqlite")]
mod note_repository;
mod object_error;
#[cfg(feature = "sqlite")]
mod objects;
mod open_error;
#[cfg(feature = "sqlite")]
mod outside;
#[cfg(feature = "sqlite")]
mod page;
#[cfg(feature = "postgres")]
mod pool;
mod port_fork;
mod private;
#[cfg(feature = "sqlite")]
mod read_only;
#[cfg(feature = "sqlite")]
mod redact;
#[cfg(feature = "sqlite")]
mod replace;
#[cfg(feature = "sqlite")]
mod result_repository;
#[cfg(feature = "postgres")]
mod rewriting;
#[cfg(feature = "sqlite")]
mod row;
#[cfg(feature = "sqlite")]
mod salvage;
#[cfg(feature = "sqlite")]
mod sealed;
#[cfg(feature = "postgres")]
mod server;
mod server_settings;
mod server_url;
#[cfg(feature = "sqlite")]
mod session_directory;
#[cfg(feature = "sqlite")]
mod session_owners;
mod session_parent;
#[cfg(feature = "sqlite")]
mod session_parents;
#[cfg(feature = "sqlite")]
mod snapshot_store;
#[cfg(feature = "sqlite")]
mod store;
#[cfg(not(feature = "sqlite"))]
#[path = "memory_store.rs"]
mod store;
#[cfg(feature = "sqlite")]
mod usage_records;
#[cfg(feature = "sqlite")]
mod user_token;
#[cfg(feature = "sqlite")]
mod user_tokens;
#[cfg(feature = "sqlite")]
mod writing;

#[cfg(feature = "sqlite")]
pub use audit_log::{AuditEntry, SeaAuditLog};
pub use changes::LogChanges;
#[cfg(feature = "sqlite")]
pub use context_store::SeaContextStore;
#[cfg(feature = "sqlite")]
pub use copy::{CopiedMemos, CopiedSession, CopyError};
pub use data_dir::{DataDir, DataDirError};
pub use database_error::DatabaseError;
pub use durability::Durability;
pub use encryption_error::EncryptionError;
pub use encryption_key::{EncryptionKey, InvalidKey, KeyId};
#[cfg(feature = "sqlite")]
pub use file_index::SeaFileIndex;
pub use holder::Holder;
pub use listed_session::ListedSession;
pub use lock::{SessionLock, lock_session};
pub use lock_error::LockError;
pub use memory_files::DiskMemoryFiles;
#[cfg(feature = "sqlite")]
pub use memory_search::SeaMemorySearch;
#[cfg(feature = "sqlite")]
pub use message_log::SeaMessageLog;
#[cfg(feature = "sqlite")]
pub use note_repository::SeaNoteRepository;
pub use object_error::ObjectError;
pub use open_error::OpenError;
pub use port_fork::ForkPorts;
#[cfg(feature = "sqlite")]
pub use result_repository::SeaResultRepository;
#[cfg(feature = "sqlite")]
pub use salvage::{RecoverError, RecoveredSession, Recovery, recover};
pub use server_url::{InvalidServerUrl, ServerUrl};
#[cfg(feature = "sqlite")]
pub use session_directory::SeaSessionDirectory;
#[cfg(feature = "sqlite")]
pub use session_owners::SeaSessionOwners;
pub use session_parent::SessionParent;
#[cfg(feature = "sqlite")]
pub use session_parents::SeaSessionParents;
#[cfg(feature = "sqlite")]
pub use snapshot_store::SeaSnapshotStore;
pub use store::Store;
#[cfg(feature = "sqlite")]
pub use user_token::{InvalidUserName, UserRights, UserToken};
#[cfg(feature = "sqlite")]
pub use user_tokens::SeaUserTokens;
