//! The tokens of a piece, by merging: of all neighbours that are a token together, those of the lowest rank are
//! merged first, the leftmost of equals, until no two are.
//!
//! In a short piece the next merge is searched, otherwise a heap finds it. A long piece is merged in windows, so that time is linear and memory bounded. That is
//! exact by a rule of such vocabularies: tokens are the encoding of a text if and only if each two neighbours
//! are the encoding of theirs. So two windows may be joined at a token that both have.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::{NO_TOKEN, Rank, Vocabulary};

/// Bytes of a short piece at most.
const SHORT: usize = 128;
/// What is no merge in a short piece. Signed numbers are compared several at once on every processor.
const NO_KEY: i32 = i32::MAX;
/// Bytes that are merged at once.
const WINDOW: usize = 4_096;
/// Bytes at the end of a window that are merged again with the next one: four of the longest token.
const SEAM: usize = 512;
/// Bits of a merge that say where it is.
const PLACE_BITS: u32 = 40;

/// Counts the tokens of pieces; its memory is used again.
#[derive(Debug, Default)]
pub(super) struct Merger {
    parts: Vec<Part>,
    /// Possible merges, and some that are no more: the rank in the upper bits, the place in the lower ones.
    merges: BinaryHeap<Reverse<u64>>,
}

/// A token of the piece so far, at the place where it starts.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// Where the one before it starts.
    before: usize,
    end: usize,
    /// The rank of this one merged with the next.
    merged: Rank,
}

impl Merger {
    /// Tokens of a piece.
    pub(super) fn count(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> u64 {
        if piece.len() <= SHORT {
            return self.count_short(vocabulary, piece);
        }
        let tokens = self.count_windows(vocabulary, piece, WINDOW);
        tokens.unwrap_or_else(|| self.merge(vocabulary, piece))
    }

    fn count_short(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> u64 {
        self.start(vocabulary, piece);
        let mut keys = [NO_KEY; SHORT];
        let keys = keys.get_mut(..piece.len()).unwrap_or_default();
        for (at, (key, part)) in keys.iter_mut().zip(&self.parts).enumerate() {
            *key = key_of(part.merged, at);
        }
        let mut left = piece.len() as u64;
        loop {
            let key = keys.iter().fold(NO_KEY, |least, key| least.min(*key));
            let joined = (key != NO_KEY).then(|| self.join(vocabulary, piece, key as usize % SHORT));
            let Some(changed) = joined.flatten() else { return left };
            for at in changed {
                if let (Some(key), Some(part)) = (keys.get_mut(at), self.parts.get(at)) {
                    *key = key_of(part.merged, at);
                }
            }
            left -= 1;
        }
    }

    /// The same in windows of this many bytes, at least twice [`SEAM`]; `None` where two of them do not join.
    pub(super) fn count_windows(
        &mut self,
        vocabulary: &Vocabulary,
        piece: &[u8],
        window: usize,
    ) -> Option<u64> {
        let (mut tokens, mut rest, mut joint) = (0, piece, None);
        loop {
            let part = rest.get(..window).unwrap_or(rest);
            let merged = self.merge(vocabulary, part);
            if joint.is_some_and(|joint| self.parts.first().is_none_or(|first| first.end != joint)) {
                return None;
            }
            if part.len() == rest.len() {
                return Some(tokens + merged);
            }
            let mut at = 0;
            while at < part.len().saturating_sub(SEAM) {
                at = self.parts.get(at)?.end;
                tokens += 1;
            }
            joint = Some(self.parts.get(at)?.end - at);
            rest = rest.get(at..)?;
        }
    }

    /// Merges a piece into [`Self::parts`], and returns how many are left.
    fn merge(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> u64 {
        self.start(vocabulary, piece);
        self.merges.clear();
        (0..piece.len()).for_each(|at| self.push(at));
        let mut left = piece.len() as u64;
        while let Some(Reverse(next)) = self.merges.pop() {
            let (rank, at) = ((next >> PLACE_BITS) as Rank, (next & ((1 << PLACE_BITS) - 1)) as usize);
            if self.parts.get(at).is_some_and(|part| part.merged == rank)
                && let Some([before, at, _]) = self.join(vocabulary, piece, at)
            {
                self.push(at);
                self.push(before);
                left -= 1;
            }
        }
        left
    }

    /// Makes each byte a part.
    fn start(&mut self, vocabulary: &Vocabulary, piece: &[u8]) {
        self.parts.clear();
        self.parts.extend(piece.array_windows().enumerate().map(|(at, [one, other])| Part {
            before: at.saturating_sub(1),
            end: at + 1,
            merged: vocabulary.pair(*one, *other),
        }));
        let last = piece.len();
        self.parts.push(Part { before: last.saturating_sub(2), end: last, merged: NO_TOKEN });
    }

    /// Joins the part at a place with the next one. Returns the places whose merges have changed: of the part before it, of its
    /// own, and of the one that is a part no more.
    fn join(&mut self, vocabulary: &Vocabulary, piece: &[u8], at: usize) -> Option<[usize; 3]> {
        let one = self.parts.get(at).copied()?;
        let other = self.parts.get_mut(one.end)?;
        other.merged = NO_TOKEN;
        let end = other.end;
        let after = self.parts.get_mut(end).map(|after| {
            after.before = at;
            after.end
        });
        let merged = after.map_or(NO_TOKEN, |after| rank_of(vocabulary, piece, at, after));
        *self.parts.get_mut(at)? = Part { end, merged, ..one };
        if at > 0 {
            self.parts.get_mut(one.before)?.merged = rank_of(vocabulary, piece, one.before, end);
        }
        Some([one.before, at, one.end])
    }

    fn push(&mut self, at: usize) {
        if let Some(part) = self.parts.get(at).filter(|part| part.merged != NO_TOKEN) {
            self.merges.push(Reverse(u64::from(part.merged) << PLACE_BITS | at as u64));
        }
    }
}

fn rank_of(vocabulary: &Vocabulary, piece: &[u8], start: usize, end: usize) -> Rank {
    piece.get(start..end).map_or(NO_TOKEN, |bytes| vocabulary.rank(bytes))
}

/// A merge in a short piece as a number: the lower, the earlier.
fn key_of(merged: Rank, at: usize) -> i32 {
    if merged == NO_TOKEN { NO_KEY } else { merged as i32 * SHORT as i32 + at as i32 }
}
