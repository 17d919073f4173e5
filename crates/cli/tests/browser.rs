//! The inspector in a real browser, on the demo's session and on a replayed recording of 250 requests: what pages show, where
//! clicks and keys lead, how pages look, whether they are accessible, and what hostile content does. Needs Chromium.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![expect(dead_code, reason = "the server's helpers have more than this suite needs")]

#[path = "browser/accessible.rs"]
mod accessible;
#[path = "browser/driven.rs"]
mod driven;
#[path = "browser/everywhere.rs"]
mod everywhere;
#[path = "browser/forms.rs"]
mod forms;
#[path = "server/hosted.rs"]
mod hosted;
#[path = "browser/hostile.rs"]
mod hostile;
#[path = "browser/paint.rs"]
mod paint;
#[path = "browser/paths.rs"]
mod paths;
#[path = "browser/recording.rs"]
mod recording;
#[path = "server/served.rs"]
mod served;
#[path = "browser/shots.rs"]
mod shots;
#[path = "browser/stage.rs"]
mod stage;
#[path = "server/stored.rs"]
mod stored;
#[path = "server/transcript.rs"]
mod transcript;
#[path = "browser/transcripts.rs"]
mod transcripts;
