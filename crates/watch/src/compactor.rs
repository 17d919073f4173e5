//! The view of our engine that replaces a conversation which Claude Code compacts, instead of the agent's own summary.
//!
//! The view is made of the whole transcript each time, so a summary is never made of a summary. Its module hands Claude Code
//! the first request by handle, the summary as a message of the user, and the end of the conversation rebuilt, with
//! parallel calls in one row and whole pairs.

mod module;
mod notes;
mod rows;
mod view;

pub(crate) use module::module_folder;
pub use notes::{CompactorNotes, NotedCompaction};
pub(crate) use notes::{note, note_loaded, take_own};
pub use view::CompactedView;
pub(crate) use view::compacted;
