//! The view of our engine that replaces a conversation which Claude Code compacts, instead of the agent's own summary.
//!
//! The first view of a conversation is made of the whole transcript. The next one continues it with what was written since, as the
//! engine does in a session of its own: the facts of a summary are carried over, word for word. Its module hands Claude Code
//! the first request by handle, the summary as a message of the user, and the end of the conversation rebuilt, with
//! parallel calls in one row and whole pairs.

mod compared;
mod continued_log;
mod module;
mod notes;
mod rows;
mod stored_view;
mod view;

pub use compared::{ComparedCompaction, ShownTokens, VisibleShare, compare_compactions};
pub(crate) use module::module_folder;
pub use notes::{CompactorNotes, NotedCompaction};
pub(crate) use notes::{note, note_begun, note_loaded, take_own};
pub(crate) use rows::CompactedRow;
pub(crate) use stored_view::{CompactedTo, MadeView, StoredView};
pub use view::CompactedView;
pub(crate) use view::{Conversation, compacted};
