//! What the user types: the text and its cursor, earlier inputs, completion.

mod completion;
mod cursor_stops;
mod editor;
mod history;
mod pastes;
mod rows;

pub(crate) use completion::{Completion, CompletionTarget, naming, wanted};
pub(crate) use editor::Editor;
pub(crate) use history::{History, Search};

#[cfg(test)]
mod tests;
