//! The server as its clients meet it: a real socket, a stored session, and answers that are read byte by byte.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]

#[path = "server/acts.rs"]
mod acts;
#[path = "server/contexts.rs"]
mod contexts;
#[path = "server/events.rs"]
mod events;
#[path = "server/figures.rs"]
mod figures;
#[path = "server/harness.rs"]
mod harness;
#[path = "server/imported.rs"]
mod imported;
#[path = "server/pages.rs"]
mod pages;
#[path = "server/reused_ids.rs"]
mod reused_ids;
#[path = "server/routes.rs"]
mod routes;
#[path = "server/transcript_log.rs"]
mod transcript_log;
#[path = "server/transcripts.rs"]
mod transcripts;
#[path = "server/turns.rs"]
mod turns;
#[path = "server/views.rs"]
mod views;
