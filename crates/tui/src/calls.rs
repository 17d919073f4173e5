//! Calls of tools: what a call is in one line, what it changes, what it gave.

mod card;
mod change;
mod running;

pub(crate) use card::{FinishedCall, bounded};
pub(crate) use change::{CHECKLIST, changes_in, checklist, path};
pub(crate) use running::{RunningCall, elapsed};

#[cfg(test)]
mod tests;
