//! Counters of tokens: exact ones for the encodings of OpenAI, and one that waits with loading them.
//!
//! [`BpeCounter`] is the counter; [`AppendCounter`] counts a text that grows, and pays only for what is added.
//! `TiktokenCounter` (feature `tiktoken`) counts by the reference implementation, so that the two can be
//! compared. [`DeferredCounter`] estimates until exact figures are worth their tables.
//!
//! A text is cut into pieces first (a word, a number, a run of punctuation), then each piece into tokens. The
//! pieces are found here, byte for byte as the encodings' own regular expressions find them; the tables that
//! cut a piece into tokens are those of the crate `bpe-openai`. They take about 60 MB for one encoding and are
//! loaded at the first count, never before.

mod append;
mod bpe;
mod class;
mod deferred;
mod encoding;
mod framing;
mod growing;
mod remembered;
mod runs;
mod splitter;
#[cfg(any(test, feature = "tiktoken"))]
mod tiktoken;

pub use append::AppendCounter;
pub use bpe::BpeCounter;
pub use deferred::DeferredCounter;
pub use encoding::Encoding;
pub use framing::{PER_REQUEST, PER_TOOL_LIST};
#[cfg(any(test, feature = "tiktoken"))]
pub use tiktoken::TiktokenCounter;

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
