//! Which encoding, and where its tables are.

use bpe_openai::byte_pair_encoding::BytePairEncoding;
use bpe_openai::{cl100k_base, o200k_base};

/// An encoding of OpenAI: how a text becomes tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `o200k_base`: GPT-4o and everything after it.
    O200k,
    /// `cl100k_base`: GPT-4, GPT-3.5 and the embedding models of that time.
    Cl100k,
}

impl Encoding {
    /// The encoding's own name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k_base",
            Self::Cl100k => "cl100k_base",
        }
    }

    /// The tables that cut a piece into tokens. The first call loads them.
    pub(super) fn tables(self) -> &'static BytePairEncoding {
        match self {
            Self::O200k => &o200k_base().bpe,
            Self::Cl100k => &cl100k_base().bpe,
        }
    }
}
