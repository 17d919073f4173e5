//! The exact counter of a text that grows.

use std::fmt;

use super::Encoding;
use super::growing::Growing;
use super::remembered::Remembered;
use super::splitter::Splitter;

/// A piece up to this many bytes is counted anew whenever it grows: cheaper than to remember each of its starts.
const SHORT: usize = 256;

/// Counts a text that is appended to, exactly, at the cost of what is appended.
///
/// At any moment [`AppendCounter::tokens`] is what [`crate::tokens::BpeCounter`] gives for the whole text so far.
/// Pieces that no further text can change are settled and forgotten; only the last one is kept. A text without
/// any end of a piece (a megabyte of letters) is kept whole, with its tokens.
#[derive(Clone)]
pub struct AppendCounter {
    encoding: Encoding,
    splitter: Splitter,
    /// Tokens of the pieces that are done with.
    settled: u64,
    /// The text behind them.
    open: String,
    /// Its tokens, should the text end here.
    shown: u64,
    /// How it is counted when it is long.
    long: Option<Long>,
}

/// A long piece. At the end of the text it may fall into two: capitals behind letters without case, blanks behind
/// a newline.
#[derive(Clone)]
struct Long {
    first: Growing,
    second: Growing,
    /// Where the second part begins.
    from: usize,
}

impl AppendCounter {
    /// The counter of an empty text. Loads no tables.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        let splitter = Splitter::new(encoding);
        Self { encoding, splitter, settled: 0, open: String::new(), shown: 0, long: None }
    }

    /// Appends text.
    pub fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let (mut start, mut at) = (0, self.open.len());
        self.open.push_str(text);
        while let Some(c) = self.open.get(at..).and_then(|rest| rest.chars().next()) {
            match self.splitter.step(at - start, c) {
                None => at += c.len_utf8(),
                Some(length) => {
                    self.settle(start, start + length);
                    self.splitter.restart();
                    start += length;
                    at = start;
                }
            }
        }
        self.open.drain(..start);
        self.shown = self.count_open();
    }

    /// Tokens of all the text so far.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.settled.saturating_add(self.shown)
    }

    fn settle(&mut self, start: usize, end: usize) {
        let bytes = self.open.as_bytes().get(start..end).unwrap_or_default();
        // Only the first piece can be one that was long before.
        let tokens = match self.long.take() {
            Some(mut long) => long.first.become_tokens_of(bytes),
            None => Remembered::lend(self.encoding, |known| known.count(bytes)),
        };
        self.settled = self.settled.saturating_add(tokens);
    }

    fn count_open(&mut self) -> u64 {
        let bytes = self.open.as_bytes();
        let middle = self.splitter.finish(bytes.len());
        let (first, second) = bytes.split_at_checked(middle).unwrap_or((bytes, &[]));
        if bytes.len() <= SHORT {
            return Remembered::lend(self.encoding, |known| known.count(first) + known.count(second));
        }
        let long = self.long.get_or_insert_with(|| Long {
            first: Growing::new(self.encoding),
            second: Growing::new(self.encoding),
            from: middle,
        });
        if long.from != middle {
            long.from = middle;
            long.second.clear();
        }
        long.first.become_tokens_of(first).saturating_add(long.second.become_tokens_of(second))
    }
}

impl fmt::Debug for AppendCounter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("AppendCounter")
            .field("encoding", &self.encoding)
            .field("tokens", &self.tokens())
            .field("open_bytes", &self.open.len())
            .finish_non_exhaustive()
    }
}
