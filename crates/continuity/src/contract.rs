//! What every implementation of this crate's ports must do. Each function panics at the first rule that is broken.
//!
//! Adapters call these from their tests with ports that hold nothing else, and create the sessions first
//! where their sessions must exist.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken contract is reported by a panic"
)]

mod contexts;
mod directory;
mod law;
mod log;
mod samples;
mod snapshots;

pub use contexts::contract_context_store;
pub use directory::contract_session_directory;
#[cfg(test)]
pub(crate) use law::assert_as_left;
pub use law::contract_resume;
pub use log::contract_message_log;
pub use samples::{SampleCounter, sample_log, session};
pub use snapshots::contract_snapshot_store;
