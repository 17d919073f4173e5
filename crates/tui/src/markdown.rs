//! Markdown of a model as styled lines.
//!
//! `render` makes lines of whole blocks, `stream` says which blocks of an answer that still grows are whole.

mod code;
mod inline;
mod render;
mod stream;
mod table;

pub(crate) use render::render;
pub(crate) use stream::Stream;

#[cfg(test)]
mod tests;
