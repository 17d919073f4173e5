//! The ports in memory: for tests, and for a session whose disk has failed.

mod directory;
mod log;
mod snapshots;
mod switch;

pub use directory::InMemorySessionDirectory;
pub use log::InMemoryMessageLog;
pub use snapshots::InMemorySnapshotStore;
use switch::Switch;

#[cfg(test)]
mod tests;
