//! Tokens of one long piece of text that grows at its end.

use bpe_openai::byte_pair_encoding::BytePairEncoding;

use super::Encoding;
use super::runs::{self, Runs};

/// Bytes that are encoded at once.
const CHUNK: usize = 1_024;
/// Tokens at the end that are encoded again with what is appended. More are taken where these are not enough.
const AGAIN: usize = 4;

/// Keeps the tokens of a piece, so that more bytes cost their own number.
#[derive(Clone)]
pub(super) struct Growing {
    tables: &'static BytePairEncoding,
    tokens: Vec<u32>,
    /// Bytes of the tokens.
    length: usize,
}

impl Growing {
    pub(super) fn new(encoding: Encoding) -> Self {
        Self { tables: encoding.tables(), tokens: Vec::new(), length: 0 }
    }

    /// Makes it the tokens of `bytes`. What it has seen must be the start of them, or they the start of that.
    pub(super) fn become_tokens_of(&mut self, bytes: &[u8]) -> u64 {
        while self.length > bytes.len() {
            // A start of an encoding is the encoding of its bytes.
            let Some(last) = self.tokens.pop() else { break };
            self.length -= self.tables.token_len(last);
        }
        while self.length < bytes.len() {
            self.append(bytes, bytes.len().min(self.length + CHUNK));
        }
        self.tokens.len() as u64
    }

    /// Forgets what it has seen.
    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.length = 0;
    }

    /// Goes on to the byte `end`. Tokens are the encoding of a text if each two neighbours are that of theirs, so
    /// only the seam has to be looked at.
    fn append(&mut self, bytes: &[u8], end: usize) {
        let mut again = AGAIN;
        loop {
            let (kept, taken) = self.tokens.split_at(self.tokens.len().saturating_sub(again));
            let start = self.length - taken.iter().map(|token| self.tables.token_len(*token)).sum::<usize>();
            let found = self.encode(bytes.get(start..end).unwrap_or_default());
            if runs::fit(self.tables, [kept.last(), found.first()]) {
                self.tokens.truncate(kept.len());
                self.tokens.extend(found);
                self.length = end;
                return;
            }
            again *= 2;
        }
    }

    fn encode(&self, bytes: &[u8]) -> Vec<u32> {
        if Runs::in_piece(bytes) {
            self.tables.encode_via_bitfield(bytes)
        } else {
            self.tables.encode_via_backtracking(bytes)
        }
    }
}
