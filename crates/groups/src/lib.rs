//! Groups: the turns of a session as a person sees them, which can be undone, dropped, restored or deleted, and what
//! compactions did to them.
//!
//! A group is an exchange: a message of the user and all the work on it. [`groups`] lists them, [`mark`] decides which
//! mark makes a [`Change`], [`removal`] which one begins a permanent deletion, [`window_edit`] hides what the window does not show, and [`purge`] finds everything that has
//! to be overwritten when a group is deleted permanently. [`compaction_diff`] compares the view before and after a
//! compaction, and [`summaries`] lists the summaries that compactions wrote.
//!
//! ```
//! use throughline_budget::ScriptAwareEstimator;
//! use throughline_conversation::{
//!     ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source, project,
//! };
//! use throughline_groups::{Change, groups, mark};
//!
//! let message = MessageRecord { message: Message::user("Fix it."), source: Source::User, usage: None };
//! let record = |seq, body| Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(1), body };
//! let mut records = vec![record(1, RecordBody::Message(message))];
//! records.push(record(2, RecordBody::Mark(mark(&records, Change::Undo)?)));
//!
//! let view = project(&records, &ScriptAwareEstimator)?;
//! assert!(view.entries().is_empty(), "the turn is hidden");
//! assert!(groups(&records, &view)[0].status.is_hidden(), "and can be redone");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything here decides over the records of a log and returns what to append or overwrite. It does NOT know how records
//! are stored (`continuity`), when to compact (`compaction`), or how a list is printed.

mod change;
mod diff;
mod error;
mod item;
mod listing;
mod pin;
mod purge;
mod removed;
mod summaries;
mod user_answer;
mod user_request;
mod window;

pub use change::{Change, compactions, mark, removal};
pub use diff::{CompactionDiff, DiffError, ViewSize, compaction_diff};
pub use error::GroupError;
pub use item::{Item, ItemContent, item_to_drop, restore_item};
pub use listing::{Group, GroupList, Shown, groups};
pub use pin::{PinTarget, pin};
pub use purge::{Purge, purge};
pub use removed::{Cover, Covered, PicturesLeft, Removed, ReplacedPart, Replacement, removed};
pub use summaries::{SummaryRow, SummaryStatus, summaries};
pub use user_answer::UserAnswers;
pub use user_request::user_request;
pub use window::window_edit;

#[cfg(test)]
mod tests;
