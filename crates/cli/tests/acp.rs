//! The binary as an agent of an editor: the protocol's own client library drives whole tasks against `throughline acp`, whose
//! model is a script.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]

#[path = "acp/choices.rs"]
mod choices;
#[path = "acp/editor.rs"]
mod editor;
#[path = "acp/endings.rs"]
mod endings;
#[path = "acp/files.rs"]
mod files;
#[path = "acp/forms.rs"]
mod forms;
#[path = "acp/home.rs"]
mod home;
#[path = "acp/login.rs"]
mod login;
#[path = "acp/permissions.rs"]
mod permissions;
#[path = "acp/prompts.rs"]
mod prompts;
#[path = "acp/raw.rs"]
mod raw;
#[path = "acp/servers.rs"]
mod servers;
#[path = "acp/sessions.rs"]
mod sessions;
#[path = "acp/task.rs"]
mod task;
