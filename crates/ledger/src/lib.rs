//! A record of the work in a session, written without a model: files, commands, errors, and the user's requests.
//!
//! [`Ledger::note`] takes one call and its result at a time and costs what that call costs;
//! [`Ledger::of`] takes a whole stretch of messages. A ledger is bounded however long the session is, it can be
//! written down ([`Ledger::render`]) within a number of tokens, and what was written is read back
//! ([`Ledger::merge`]), so that it continues from one summary to the next. [`Ledger::load_bearing`] names what
//! must not be lost: changed files, open errors, commands that failed, paths that the user named.
//!
//! The tools of many makers are understood, by the names of their arguments more than by their own.
//!
//! Neighbours: `compaction` puts a ledger into each summary, `continuity` into a handoff.
//!
//! It does not know what a summary looks like otherwise, where texts are stored, models, disks or the clock.

mod change;
mod command_note;
mod error_note;
mod file_note;
mod grouped;
mod ledger;
mod lines;
mod load_bearing;
mod mentioned;
mod outcome;
mod patch;
mod quality;
mod reference;
mod render;
mod section;
mod shell;
mod step_note;
mod tool_use;

pub use command_note::CommandNote;
pub use error_note::ErrorNote;
pub use file_note::{FileNote, Newest};
pub use ledger::Ledger;
pub use lines::{newest, one_line};
pub use quality::{QUALITY_FAILED, QUALITY_PASSED, quality_result};
pub use reference::{naming, refs};
pub use render::{LedgerText, also_changed};
pub use section::{CHECKLIST, COMMANDS, ERRORS, FILES, section};
pub use step_note::StepNote;
