//! Tokens of one piece.
//!
//! `bpe` counts a piece by trying the longest token first and going back where that fails. In long runs of one
//! character (`-----`, `=====`) it goes back nearly everywhere, down to 0.4 MB/s. Pieces with such runs are
//! counted here, by merging pairs, and the runs are shortened first. Both are exact by the rule that `bpe` itself
//! rests on: tokens are the encoding of a text if and only if each two neighbours are the encoding of theirs.

use std::iter;

use bpe_openai::byte_pair_encoding::BytePairEncoding;

/// A run of one byte that is worth another way of counting.
const RUN: usize = 64;
/// What is left of a run at least: so long that its tokens in the middle are all the same.
const KEPT: usize = 512;
/// A run is shortened by a multiple of this, the length of the longest token of one byte repeated. The others
/// that repeat in a run are powers of two as well.
const STEP: usize = 128;
/// Bytes that are merged at once: merging slows down when the pairs outgrow the processor's cache.
const WINDOW: usize = 2_048;
/// Bytes at the end of a window that are merged again in the next one, because more text may change them.
const MARGIN: usize = 256;

/// Tokens of the piece.
pub(super) fn count(tables: &BytePairEncoding, piece: &[u8]) -> u64 {
    let has_runs = piece.len() >= RUN && runs(piece).any(|run| run.len() >= RUN);
    let merged = if has_runs { merge_all(tables, piece) } else { None };
    merged.unwrap_or_else(|| tables.count(piece) as u64)
}

fn runs(piece: &[u8]) -> impl Iterator<Item = &[u8]> {
    piece.chunk_by(|one, next| one == next)
}

/// A run that was shortened: where it lies in the shortened piece, and the bytes that were taken out.
struct Cut {
    start: usize,
    end: usize,
    removed: usize,
}

fn merge_all(tables: &BytePairEncoding, piece: &[u8]) -> Option<u64> {
    let (short, cuts) = shorten(piece);
    let tokens = merge(tables, &short)?;
    let mut ends = 0;
    let places: Vec<(usize, u32)> = tokens
        .iter()
        .map(|token| {
            ends += tables.token_len(*token);
            (ends, *token)
        })
        .collect();
    cuts.iter().try_fold(tokens.len() as u64, |sum, cut| {
        let length = repeated(tables, &places, cut)?;
        // Any number of the token may stand where two of it stand.
        cut.removed.is_multiple_of(length).then(|| sum + (cut.removed / length) as u64)
    })
}

fn shorten(piece: &[u8]) -> (Vec<u8>, Vec<Cut>) {
    let (mut short, mut cuts) = (Vec::new(), Vec::new());
    for run in runs(piece) {
        let removed = run.len().saturating_sub(KEPT) / STEP * STEP;
        let start = short.len();
        short.extend_from_slice(run.get(removed..).unwrap_or_default());
        if removed > 0 {
            cuts.push(Cut { start, end: short.len(), removed });
        }
    }
    (short, cuts)
}

/// Length of a token that stands twice in a row within the cut.
fn repeated(tables: &BytePairEncoding, places: &[(usize, u32)], cut: &Cut) -> Option<usize> {
    let from = places.partition_point(|(end, _)| *end <= cut.start);
    let twice = places.get(from..)?.array_windows().take_while(|[_, (end, _)]| *end <= cut.end).find(
        |[(end, one), (_, other)]| one == other && end.saturating_sub(tables.token_len(*one)) >= cut.start,
    );
    twice.map(|[(_, token), _]| tables.token_len(*token))
}

/// The tokens, merged window by window. `None` where two windows do not fit together.
fn merge(tables: &BytePairEncoding, bytes: &[u8]) -> Option<Vec<u32>> {
    let mut tokens: Vec<u32> = Vec::new();
    let mut rest = bytes;
    loop {
        let window = rest.get(..WINDOW).unwrap_or(rest);
        let found = tables.encode_via_bitfield(window);
        if let (Some(last), Some(first)) = (tokens.last(), found.first())
            && !neighbours(tables, *last, *first)
        {
            return None;
        }
        if window.len() == rest.len() {
            tokens.extend(found);
            return Some(tokens);
        }
        let mut kept = 0;
        tokens.extend(found.into_iter().take_while(|token| {
            let end = kept + tables.token_len(*token);
            let keeps = end <= WINDOW - MARGIN;
            kept = if keeps { end } else { kept };
            keeps
        }));
        rest = rest.get(kept..).filter(|_| kept > 0)?;
    }
}

/// Whether the two tokens are the encoding of their bytes.
fn neighbours(tables: &BytePairEncoding, one: u32, other: u32) -> bool {
    let bytes = [tables.token_bytes(one), tables.token_bytes(other)].concat();
    tables.encode_via_bitfield(&bytes).iter().eq(iter::once(&one).chain(iter::once(&other)))
}
