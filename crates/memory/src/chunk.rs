//! A memory file in pieces that a search can find and cite.

/// Maximum characters of a piece.
const CHUNK_CHARS: usize = 2_000;

/// Maximum characters at the end of a piece that the next one repeats: a sentence on the border is found whole.
const OVERLAP_CHARS: usize = 100;

/// A paragraph that ends this early is joined with what follows.
const SHORT_CHARS: usize = 400;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Line of the text that it begins in, from 1.
    pub first_line: u64,
    /// Line of the text that it ends in.
    pub last_line: u64,
    /// The piece, without blank lines around it. Not empty, up to 2,000 characters.
    pub text: String,
}

/// Cuts a text into pieces of up to 2,000 characters: between paragraphs where that is possible, else between lines, else
/// between words. A piece begins with up to the last 100 characters of the one before, from a line or a word on.
#[must_use]
pub fn chunks(text: &str) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let (mut start, mut line) = (0, 1);
    while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
        let length = piece(rest);
        let (now, later) = rest.split_at(length);
        chunks.extend(trimmed(now, line));
        if later.is_empty() {
            break;
        }
        let step = length - overlap(now);
        line += rest.get(..step).map_or(0, line_ends);
        start += step;
    }
    chunks
}

/// Length in bytes of the piece that a text begins with.
fn piece(text: &str) -> usize {
    let Some(most) = nth(text, CHUNK_CHARS) else {
        return text.len();
    };
    let head = text.get(..most).unwrap_or(text);
    let half = nth(head, CHUNK_CHARS / 2).unwrap_or(0);
    let short = nth(head, SHORT_CHARS).unwrap_or(0);
    let behind = |found: Option<usize>, width: usize, least: usize| {
        found.map(|at| at + width).filter(|end| *end > least)
    };
    let space = head.char_indices().rev().find(|(_, letter)| letter.is_whitespace());
    behind(head.rfind("\n\n"), 2, short)
        .or_else(|| behind(head.rfind('\n'), 1, half))
        .or_else(|| behind(space.map(|(at, _)| at), space.map_or(1, |(_, letter)| letter.len_utf8()), half))
        .unwrap_or(most)
}

/// How many bytes at the end of a piece the next one begins with.
fn overlap(piece: &str) -> usize {
    let chars = piece.chars().count();
    let Some(from) = nth(piece, chars.saturating_sub(OVERLAP_CHARS)).filter(|from| *from > 0) else {
        return 0;
    };
    let tail = piece.get(from..).unwrap_or_default();
    if piece.get(..from).is_some_and(|before| before.ends_with('\n')) {
        return tail.len();
    }
    let line = tail
        .find('\n')
        .map(|at| at + 1)
        .filter(|at| tail.get(*at..).is_some_and(|rest| !rest.trim().is_empty()));
    let word = tail.char_indices().find(|(_, letter)| letter.is_whitespace());
    tail.len() - line.or(word.map(|(at, letter)| at + letter.len_utf8())).unwrap_or(0)
}

/// The piece without blank lines around it; `None` when there is nothing else.
fn trimmed(piece: &str, line: u64) -> Option<Chunk> {
    let text = piece.trim_end();
    let blank = text.len() - text.trim_start().len();
    let from = text.get(..blank)?.rfind('\n').map_or(0, |at| at + 1);
    let (before, text) = text.split_at_checked(from)?;
    let first_line = line + line_ends(before);
    let last_line = first_line + line_ends(text);
    (!text.is_empty()).then(|| Chunk { first_line, last_line, text: text.to_owned() })
}

/// Where the character of this number begins; `None` when there are no more than that.
fn nth(text: &str, number: usize) -> Option<usize> {
    text.char_indices().nth(number).map(|(at, _)| at)
}

fn line_ends(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests;
