//! The real engine at work, with a scripted model and real tools: no network, no key.
//!
//! [`run`] writes a small project with a bug, and a session finds and fixes it. Its first part, [`FirstPart`], runs in another
//! process, which is killed in the middle of a tool call; the second part continues from the log.
//!
//! It is a program's front end: it prints. `throughline` opens the storage, `agent` runs the turns.

mod folders;
mod model;
mod project;
mod run;
mod screen;
mod script;
mod summary;
mod vat_tools;
mod worker;

pub use folders::{DemoData, DemoOptions, READABLE_PACE, run};
pub use run::{DemoPlace, FirstPart};
