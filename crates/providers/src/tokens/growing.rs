//! Tokens of one long piece of text that grows at its end.

use bpe_openai::appendable_encoder::AppendableEncoder;

use super::Encoding;

/// Keeps the tokens of every start of a piece (12 bytes for each byte), so that more bytes cost their own number.
#[derive(Clone)]
pub(super) struct Growing {
    encoding: Encoding,
    encoder: AppendableEncoder<'static>,
}

impl Growing {
    pub(super) fn new(encoding: Encoding) -> Self {
        Self { encoding, encoder: AppendableEncoder::new(encoding.tables()) }
    }

    /// Makes it the tokens of `bytes`. What it has seen must be the start of them, or they the start of that.
    pub(super) fn become_tokens_of(&mut self, bytes: &[u8]) -> u64 {
        self.encoder.truncate(bytes.len());
        self.encoder.extend(bytes.iter().skip(self.encoder.len()).copied());
        self.encoder.token_count() as u64
    }

    /// Forgets what it has seen.
    pub(super) fn clear(&mut self) {
        self.encoder = AppendableEncoder::new(self.encoding.tables());
    }
}
