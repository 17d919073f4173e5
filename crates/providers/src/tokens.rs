//! Exact counters of tokens for OpenAI's encodings, and one that defers loading their tables.
//!
//! [`Encoding::counter`] chooses: [`BpeCounter`] counts `o200k_base` and `o200k_harmony`, the encodings of every model since GPT-4o;
//! [`TiktokenCounter`] counts the others by the reference implementation, and is what [`BpeCounter`] is tested against.
//! [`DeferredCounter`] estimates until exact figures are worth their tables.
//!
//! [`BpeCounter`] cuts a text into pieces first (a word, a number, a run of punctuation), then each piece into tokens.
//! It finds the pieces byte for byte as the encoding's own regular expression does, without backtracking, and merges the bytes
//! of a piece by the ranks of `tiktoken-rs`, which are built into the program once (1.6 MB). Their table takes about 7 MB
//! of memory and is built at the first count, never before.

mod bpe;
mod class;
mod deferred;
mod encoding;
mod framing;
mod merge;
mod remembered;
mod splitter;
mod tiktoken;
mod vocabulary;

pub use bpe::BpeCounter;
pub use deferred::DeferredCounter;
pub use encoding::Encoding;
pub use tiktoken::TiktokenCounter;

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
