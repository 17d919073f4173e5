//! Examines an installation: settings, model and providers, sandbox, git, data folder, database and terminal.
//!
//! [`examine`] returns a [`Finding`] per thing looked at. Nothing is created; an existing database is opened as every command
//! opens it.

mod examination;
mod finding;
mod git;
mod models;
mod sandbox;
mod search;
mod storage;
mod terminal;

pub use examination::{ExamineOptions, examine};
pub use finding::{Area, Finding, Verdict};
