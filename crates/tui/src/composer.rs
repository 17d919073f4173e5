//! What the user types besides the text: earlier inputs, completion.

mod completion;
mod history;

pub(crate) use completion::{Completion, CompletionTarget, naming, wanted};
pub(crate) use history::{History, Search};
