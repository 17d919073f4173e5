//! What the user types: the text and its cursor, earlier inputs, completion.

mod completion;
mod editor;
mod history;
mod pastes;
mod places;
mod rows;

pub(crate) use completion::{Completion, Wanted, wanted};
pub(crate) use editor::Editor;
pub(crate) use history::{History, Search};

#[cfg(test)]
mod tests;
