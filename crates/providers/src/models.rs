//! Limits and prices of models: a built-in table, a user's table over it, and name lookup.
//!
//! [`ModelTable::find`] always answers. [`ModelRow::known`] is how sure the answer is, and [`ModelRow::note`]
//! what was assumed and how to set it. A window is never assumed higher than is known.

mod entry;
mod error;
mod name;
mod parse;
mod resolve;
mod row;
mod search_price;
mod table;

pub use error::TableError;
pub use row::{Api, Known, ModelRow, Tokenizer};
pub use table::ModelTable;

#[cfg(test)]
mod tests;
