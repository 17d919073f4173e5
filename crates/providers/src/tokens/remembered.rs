//! Counts of short pieces that have been counted before.
//!
//! A text consists of few different pieces: nearly every word of a megabyte of prose or code is one that it has
//! had already. To look a count up takes a tenth of the time of counting again
//! (`cargo xtask bench tokens` asks for 1.4 times the speed of the reference on real texts).

use std::cell::Cell;

use super::merge::Merger;
use super::vocabulary::{NO_TOKEN, Vocabulary};

/// A piece of at most this many bytes is remembered.
const LONGEST: usize = 15;
/// How many pieces are. Each has one place, and a place remembers the last of its pieces.
const PLACES: usize = 1 << 13;

/// Tokens of short pieces.
#[derive(Debug)]
pub(super) struct Remembered {
    /// The piece, filled up with zeros and its length, so that no two pieces are equal and none is 0.
    pieces: Vec<u128>,
    tokens: Vec<u8>,
    merger: Merger,
}

thread_local! {
    /// What this thread remembers, while it does not count.
    static SPARE: Cell<Option<Box<Remembered>>> = const { Cell::new(None) };
}

impl Remembered {
    /// Calls `with` on what this thread remembers.
    pub(super) fn lend<T>(with: impl FnOnce(&mut Self) -> T) -> T {
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        let mut lent = spare.unwrap_or_else(|| Box::new(Self::new()));
        let given = with(&mut lent);
        // At the end of a thread its memory is gone already.
        SPARE.try_with(|spare| spare.set(Some(lent))).ok();
        given
    }

    fn new() -> Self {
        Self { pieces: vec![0; PLACES], tokens: vec![0; PLACES], merger: Merger::default() }
    }

    /// Tokens of a piece.
    pub(super) fn count(&mut self, bytes: &[u8]) -> u64 {
        let mut key = [0; LONGEST + 1];
        let Some(start) = key.get_mut(..bytes.len()).filter(|_| bytes.len() <= LONGEST) else {
            return count(&mut self.merger, bytes);
        };
        start.copy_from_slice(bytes);
        if let Some(length) = key.last_mut() {
            *length = bytes.len() as u8;
        }
        let key = u128::from_le_bytes(key);
        let place = place_of(key);
        let (Some(known), Some(tokens)) = (self.pieces.get_mut(place), self.tokens.get_mut(place)) else {
            return count(&mut self.merger, bytes);
        };
        if *known != key {
            // At most one token for each byte.
            *tokens = count(&mut self.merger, bytes) as u8;
            *known = key;
        }
        u64::from(*tokens)
    }
}

/// Tokens of a piece. The first call loads the vocabulary.
fn count(merger: &mut Merger, bytes: &[u8]) -> u64 {
    let vocabulary = Vocabulary::get();
    if vocabulary.rank(bytes) == NO_TOKEN { merger.count(vocabulary, bytes) } else { 1 }
}

/// The place of a piece: its bits well mixed (by multiplication with an odd number without pattern).
fn place_of(key: u128) -> usize {
    let mixed = ((key as u64) ^ ((key >> 64) as u64).rotate_left(23)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 51) as usize
}

const _: () = assert!(PLACES == 1 << (64 - 51));
