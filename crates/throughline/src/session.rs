//! Opening sessions.

mod enter;
mod file_history;
mod open;
mod rule_notes;

pub use open::{OpenedSession, Opening, ToolObserver, open};
