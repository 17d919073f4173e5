//! Tokens of a piece with long runs of one character.
//!
//! `bpe` counts a piece by trying the longest token first and going back where that fails. In long runs of one
//! character (`-----`, `=====`) it goes back nearly everywhere, down to 0.4 MB/s. So a piece is taken apart into
//! its runs and what lies between them; tokens of runs are remembered, very long ones shortened, and the parts
//! joined. That is exact by the rule that `bpe` itself rests on: tokens are the encoding of a text if and only if
//! each two neighbours are the encoding of theirs.

use std::collections::HashMap;

use bpe_openai::byte_pair_encoding::BytePairEncoding;

/// A run of one byte that is worth another way of counting.
const RUN: usize = 64;
/// What is left of a very long run at least.
const KEPT: usize = 2_048;
/// A run is shortened by a multiple of this, the length of the longest token of one byte repeated. The others
/// that repeat in a run are powers of two as well.
const STEP: usize = 128;
/// Bytes on each side of a seam that may be encoded again. Twice that leaves the middle of a shortened run alone.
const SEAM: usize = 512;
/// Tokens of runs, and pairs of neighbours, that are remembered at most.
const MEMORY: usize = 1 << 18;

/// What is known of runs.
#[derive(Debug, Default)]
pub(super) struct Runs {
    /// The tokens of a byte repeated this many times.
    known: HashMap<(u8, usize), Vec<u32>>,
    /// All tokens in there.
    size: usize,
    /// Whether two tokens are the encoding of their bytes.
    neighbours: HashMap<(u32, u32), bool>,
}

impl Runs {
    /// Returns true if the piece is better counted here.
    pub(super) fn in_piece(piece: &[u8]) -> bool {
        piece.len() >= RUN && by_byte(piece).any(|run| run.len() >= RUN)
    }

    /// Tokens of the piece; `None` where the parts do not join.
    pub(super) fn count(&mut self, tables: &BytePairEncoding, piece: &[u8]) -> Option<u64> {
        let (mut tokens, mut left_out, mut rest) = (Vec::new(), 0, piece);
        while let Some(byte) = rest.first() {
            let run = by_byte(rest).next().map_or(0, <[u8]>::len);
            let length = if run >= RUN { run } else { up_to_run(rest) };
            let (part, after) = rest.split_at_checked(length)?;
            if run < RUN {
                self.join(tables, &mut tokens, &tables.encode_via_backtracking(part))?;
            } else {
                let removed = run.saturating_sub(KEPT) / STEP * STEP;
                let found = self.of_run(tables, *byte, run - removed);
                left_out += repeats(tables, &found, removed)?;
                self.join(tables, &mut tokens, &found)?;
            }
            rest = after;
        }
        Some(tokens.len() as u64 + left_out)
    }

    fn of_run(&mut self, tables: &BytePairEncoding, byte: u8, length: usize) -> Vec<u32> {
        if let Some(known) = self.known.get(&(byte, length)) {
            return known.clone();
        }
        let found = tables.encode_via_bitfield(&vec![byte; length]);
        if self.size + found.len() > MEMORY {
            self.known.clear();
            self.size = 0;
        }
        self.size += found.len();
        self.known.insert((byte, length), found.clone());
        found
    }

    /// Appends the tokens of a part, and encodes again what is around the seam where the two sides do not fit.
    fn join(&mut self, tables: &BytePairEncoding, tokens: &mut Vec<u32>, part: &[u32]) -> Option<()> {
        let (mut taken, mut given, mut seam) = (0, 0, Vec::new());
        loop {
            let (left, right) = (tokens.get(..tokens.len() - taken)?, part.get(given..)?);
            let inner = [left.last(), seam.first().or(right.first())];
            let outer = [seam.last(), right.first()];
            if self.fit(tables, inner) && self.fit(tables, outer) {
                tokens.truncate(tokens.len() - taken);
                tokens.extend(seam);
                tokens.extend(right);
                return Some(());
            }
            taken = (taken * 2 + 1).min(tokens.len());
            given = (given * 2 + 1).min(part.len());
            let sides = [tokens.get(tokens.len() - taken..)?, part.get(..given)?];
            let bytes = sides.map(|side| side.iter().map(|token| tables.token_len(*token)).sum::<usize>());
            if bytes.iter().any(|bytes| *bytes > SEAM) {
                return None;
            }
            seam = tables.encode_via_bitfield(&tables.decode_tokens(&sides.concat()));
        }
    }

    fn fit(&mut self, tables: &BytePairEncoding, pair: [Option<&u32>; 2]) -> bool {
        let [Some(one), Some(other)] = pair else { return true };
        if self.neighbours.len() > MEMORY {
            self.neighbours.clear();
        }
        *self.neighbours.entry((*one, *other)).or_insert_with(|| fit(tables, pair))
    }
}

/// Returns true if two neighbours are the encoding of their bytes; a side without a token fits anything.
pub(super) fn fit(tables: &BytePairEncoding, pair: [Option<&u32>; 2]) -> bool {
    let [Some(one), Some(other)] = pair else { return true };
    let pair = [*one, *other];
    tables.encode_via_bitfield(&tables.decode_tokens(&pair)) == pair
}

fn by_byte(piece: &[u8]) -> impl Iterator<Item = &[u8]> {
    piece.chunk_by(|one, next| one == next)
}

/// Bytes before the next long run.
fn up_to_run(piece: &[u8]) -> usize {
    by_byte(piece).map(<[u8]>::len).take_while(|run| *run < RUN).sum()
}

/// Tokens that were taken out of the middle of a run with the bytes: where one token stands twice, any number of
/// it may stand.
fn repeats(tables: &BytePairEncoding, tokens: &[u32], removed: usize) -> Option<u64> {
    if removed == 0 {
        return Some(0);
    }
    let middle = tokens.get(tokens.len() / 2..)?;
    let [one, other, ..] = middle else { return None };
    let length = tables.token_len(*one);
    (one == other && removed.is_multiple_of(length)).then(|| (removed / length) as u64)
}
