//! What models can hold and what they cost: a table, a user's own table over it, and how a name is looked up.
//!
//! [`ModelTable::find`] always answers. [`ModelRow::known`] is how sure the answer is, and [`ModelRow::note`]
//! what was assumed and how to set it. A window is never assumed higher than is known.

mod entry;
mod error;
mod name;
mod parse;
mod resolve;
mod row;
mod table;

pub use error::TableError;
pub use row::{Api, Known, ModelRow, ThinkingForm, Tokenizer};
pub use table::ModelTable;

#[cfg(test)]
mod tests;
