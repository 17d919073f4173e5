//! The adapters on real files: the contracts of the ports, what a file may look like, several at a time.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod contracts;
mod copies;
mod damage;
mod deleted;
mod encryption;
mod extended;
mod fork;
mod gaps;
#[cfg(unix)]
mod locks;
mod memory;
mod memory_files;
mod modes;
mod newest;
mod objects;
mod renamed;
mod replaced;
mod salvage;
mod searching;
mod tables;
mod together;
mod users;
mod views;

use std::path::PathBuf;

use tempfile::TempDir;
use throughline_continuity::{SessionDirectory, SessionInfo};
use throughline_conversation::{Millis, SessionId};
use throughline_store::Store;

/// A store on a file of its own.
struct Fixture {
    dir: TempDir,
    store: Store,
}

impl Fixture {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("x.db")).await.unwrap();
        Self { dir, store }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("x.db")
    }

    async fn with_session(self, id: &str) -> Self {
        create(&self.store, id).await;
        self
    }

    /// Opens the file again, as the next process would.
    async fn reopened(self) -> Self {
        let Self { dir, store } = self;
        store.close().await.unwrap();
        let store = Store::open(&dir.path().join("x.db")).await.unwrap();
        Self { dir, store }
    }

    /// Another program's connection to the file.
    fn raw(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.path()).unwrap()
    }
}

async fn create(store: &Store, id: &str) {
    store.sessions().create(&info(id)).await.unwrap();
}

fn info(id: &str) -> SessionInfo {
    SessionInfo {
        id: SessionId::new(id).unwrap(),
        title: String::new(),
        workspace: "/home/ann".to_owned(),
        model: "sample".to_owned(),
        created: Millis(1),
    }
}
