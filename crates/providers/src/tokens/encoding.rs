//! The encodings, and the counter of each.

use std::sync::Arc;

use throughline_conversation::TokenCounter;

use super::bpe::BpeCounter;
use super::tiktoken::TiktokenCounter;

/// An encoding of OpenAI: how a text becomes tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `o200k_base`: GPT-4o and everything after it.
    O200k,
    /// `o200k_harmony`: the open models gpt-oss.
    O200kHarmony,
    /// `cl100k_base`: GPT-4, GPT-3.5 and the embedding models of that time.
    Cl100k,
    /// `p50k_base`: Codex and the GPT-3.5 models before chat.
    P50k,
    /// `r50k_base`: GPT-2 and GPT-3, and open models that took over their vocabulary.
    R50k,
}

impl Encoding {
    /// The name that OpenAI gives it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100k => "cl100k_base",
            Self::P50k => "p50k_base",
            Self::R50k => "r50k_base",
        }
    }

    /// The counter of this encoding: [`BpeCounter`] for both with the tokens of `o200k`, which differ in special tokens
    /// only, and [`TiktokenCounter`] for the others. Loads no tables.
    #[must_use]
    pub fn counter(self) -> Arc<dyn TokenCounter> {
        match self {
            Self::O200k | Self::O200kHarmony => Arc::new(BpeCounter),
            Self::Cl100k => Arc::new(const { TiktokenCounter::new(Self::Cl100k) }),
            Self::P50k => Arc::new(const { TiktokenCounter::new(Self::P50k) }),
            Self::R50k => Arc::new(const { TiktokenCounter::new(Self::R50k) }),
        }
    }
}
