//! Opening sessions.

mod enter;
mod file_history;
mod open;
mod recorded;
mod rule_notes;

pub use enter::SessionStart;
pub use open::{OpenedSession, Opening, ToolObserver, open};
pub use recorded::recorded_model;
