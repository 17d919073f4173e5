//! Lines of raw bytes, with their numbers and places.

use crate::lossy;

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextLine<'a> {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Where it starts.
    pub(crate) at: usize,
    /// Its bytes, without the line end (`\n` or `\r\n`).
    pub(crate) bytes: &'a [u8],
}

/// The lines of `bytes`, in order. A line end at the very end starts no further line.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = TextLine<'_>> {
    let mut at = 0;
    bytes.split_inclusive(|byte| *byte == b'\n').zip(1..).map(move |(whole, number)| {
        let start = at;
        at += whole.len();
        let line = whole.strip_suffix(b"\n").unwrap_or(whole);
        TextLine { number, at: start, bytes: line.strip_suffix(b"\r").unwrap_or(line) }
    })
}

/// How many line ends `bytes` has.
pub(crate) fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, byte| sum + u64::from(*byte == b'\n'))
}

/// A part of a line that fits a width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// Where the part ends, within the line.
    pub(crate) end: usize,
    /// The part, with `…` where something is left out.
    pub(crate) text: String,
}

/// The part of a line around `focus` (an offset within it) that shows as at most about `width` bytes. A line
/// that fits is shown whole.
pub(crate) fn excerpt(line: &[u8], focus: usize, width: usize) -> Excerpt {
    let whole = lossy::fit_start(line, width);
    if whole == line.len() {
        return Excerpt { end: whole, text: lossy::text(line, 0, whole) };
    }
    let start = lossy::next_boundary(line, focus.saturating_sub(width / 4));
    let rest = line.get(start..).unwrap_or_default();
    let end = start + lossy::fit_start(rest, width);
    let before = if start > 0 { "…" } else { "" };
    let after = if end < line.len() { "…" } else { "" };
    Excerpt { end, text: format!("{before}{}{after}", lossy::text(line, start, end)) }
}

#[cfg(test)]
mod tests;
