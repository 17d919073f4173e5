//! The ports in memory: for tests, and for a session whose disk has failed.

mod contexts;
mod directory;
mod log;
mod snapshots;

pub use contexts::InMemoryContextStore;
pub use directory::InMemorySessionDirectory;
pub use log::InMemoryMessageLog;
pub use snapshots::InMemorySnapshotStore;

#[cfg(test)]
mod tests;
