//! Calls of tools: what a call is in one line, what it changes, what it gave.

mod card;
mod change;
mod group;
mod output;
mod running;
mod todo;
mod verb;

pub(crate) use card::{FinishedCall, asked_title, bounded};
pub(crate) use change::{changed_lines, changes_in, path, plus_minus, size_of_change};
pub(crate) use group::ReadGroup;
pub use running::elapsed;
pub(crate) use running::{CallEnd, CallState, RunningCall, whole_seconds};
pub(crate) use todo::{CHECKLIST, Todo, todo_items};
pub(crate) use verb::only_reads;

#[cfg(test)]
mod tests;
