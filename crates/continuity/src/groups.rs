//! Taking groups out of a session and bringing them back.
//!
//! A group is an exchange: a message of the user and all the work on it. Everything here decides over the records of a
//! log and gives back what to append; nothing is written.

mod change;
mod error;
mod listing;
mod purge;
mod window;

pub(crate) use change::compactions;
pub use change::{Change, mark};
pub use error::GroupError;
pub(crate) use listing::first_line;
pub use listing::{Group, Shown, groups};
pub use purge::{Purge, purge};
pub use window::window_edit;

#[cfg(test)]
mod tests;
