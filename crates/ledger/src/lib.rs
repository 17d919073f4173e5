//! A record of the work in a session, written without a model: files, commands, errors, and the user's requests.
//!
//! [`Ledger::note`] adds one call and its result, at a cost that depends on that call alone; [`Ledger::of`] reads a
//! whole range of messages. A ledger is bounded, independent of the length of the session. [`Ledger::render`] writes it
//! within a number of tokens, and [`Ledger::merge`] reads that text again, so that it continues from one summary to the
//! next. [`Ledger::load_bearing`] names what must not be lost: changed files, open errors, commands that failed, paths
//! that the user named.
//!
//! ```
//! use serde_json::json;
//! use throughline_budget::ScriptAwareEstimator;
//! use throughline_conversation::{ToolCall, ToolResult};
//! use throughline_ledger::Ledger;
//!
//! let mut ledger = Ledger::default();
//! ledger.request("Fix the rounding in total.rs.");
//! let call = ToolCall {
//!     id: "c1".to_owned(),
//!     name: "edit_file".to_owned(),
//!     input: json!({"path": "src/total.rs", "old_string": "x / 100", "new_string": "(x + 50) / 100"}),
//! };
//! ledger.note(&call, Some(&ToolResult::text("c1", "1 replacement")));
//!
//! let text = ledger.render(200, &ScriptAwareEstimator, &mut |_| None).markdown();
//! assert!(text.contains("src/total.rs"));
//! ```
//!
//! [`NeedTracker`] finds what an answer uses that only an earlier result has shown; [`Need::missed`] says how much of it
//! the request no longer showed. That is the regret of a compaction. [`RegretTracker`] says which compaction of a session
//! had removed it.
//!
//! It understands the tools of many agents, by the names of their arguments more than by their own names.
//!
//! Neighbours: `compaction` puts a ledger into each summary, `continuity` into a handoff.
//!
//! It does not know the rest of a summary, storage, models, disks or the clock.

mod change;
mod command_note;
mod error_note;
mod file_note;
mod grouped;
mod ledger;
mod lines;
mod load_bearing;
mod lost_names;
mod mentioned;
mod milestone;
mod need;
mod not_run;
mod outcome;
mod patch;
mod quality;
mod reference;
mod regret;
mod render;
mod request_note;
mod section;
mod shell;
mod step_kind;
mod step_note;
mod tool_kind;
mod tool_use;
mod unchanged_reads;

pub use command_note::CommandNote;
pub use error_note::ErrorNote;
pub use file_note::{FileNote, Newest};
pub use ledger::Ledger;
pub use lines::{newest, one_line};
pub use lost_names::lost_names;
pub use milestone::{Milestone, is_milestone};
pub use need::{Missed, Need, NeedTracker, Shown};
pub use not_run::was_not_run;
pub use quality::{QUALITY_FAILED, QUALITY_PASSED};
pub use reference::{is_word_of_reference, naming, refs};
pub use regret::{FOLLOWED_RECORDS, ReadBack, RegretTracker};
pub use render::{LedgerText, also_changed};
pub use request_note::RequestNotes;
pub use section::{CHECKLIST, COMMANDS, ERRORS, FILES, section};
pub use step_kind::StepKind;
pub use step_note::{StepNote, checklist};
pub use tool_use::{file_shown, subject};
pub use unchanged_reads::unchanged_reads;
