//! Head and tail of a content, cut between characters and at line ends where one is near.

use crate::lines::line_ends;
use crate::lossy;

/// A line end is near when it is in this part of the head's end or the tail's start.
const NEAR: usize = 4;

/// A content cut in three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeadAndTail<'a> {
    bytes: &'a [u8],
    head_end: usize,
    tail_start: usize,
}

impl<'a> HeadAndTail<'a> {
    /// Splits off a head and a tail of at most this many bytes of shown text each.
    pub(crate) fn new(bytes: &'a [u8], head: usize, tail: usize) -> Self {
        let head_end = whole_lines_of_head(bytes, lossy::fit_start(bytes, head));
        let tail_start = whole_lines_of_tail(bytes, lossy::fit_end(bytes, tail)).max(head_end);
        Self { bytes, head_end, tail_start }
    }

    /// The start of the content.
    pub(crate) fn head(&self) -> String {
        lossy::text(self.bytes, 0, self.head_end)
    }

    /// The end of the content.
    pub(crate) fn tail(&self) -> String {
        lossy::text(self.bytes, self.tail_start, self.bytes.len())
    }

    /// The middle part.
    pub(crate) fn middle(&self) -> &'a [u8] {
        self.bytes.get(self.head_end..self.tail_start).unwrap_or_default()
    }

    /// Where the middle starts.
    pub(crate) fn middle_at(&self) -> usize {
        self.head_end
    }

    /// The number of the line that the middle starts in.
    pub(crate) fn middle_line(&self) -> u64 {
        1 + line_ends(self.bytes.get(..self.head_end).unwrap_or_default())
    }

    /// How many lines the middle touches.
    pub(crate) fn middle_lines(&self) -> u64 {
        let middle = self.middle();
        line_ends(middle) + u64::from(middle.last().is_some_and(|byte| *byte != b'\n'))
    }
}

/// Moves the end of a head back to just after the last line end, if that is near.
fn whole_lines_of_head(bytes: &[u8], end: usize) -> usize {
    let from = end - end / NEAR;
    let near = bytes.get(from..end).unwrap_or_default();
    near.iter().rposition(|byte| *byte == b'\n').map_or(end, |at| from + at + 1)
}

/// Moves the start of a tail to just after the first line end, if that is near.
fn whole_lines_of_tail(bytes: &[u8], start: usize) -> usize {
    if start.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\n') {
        return start;
    }
    let near = bytes.get(start..start + (bytes.len() - start) / NEAR).unwrap_or_default();
    near.iter().position(|byte| *byte == b'\n').map_or(start, |at| start + at + 1)
}

/// The text with a line end, so that what follows starts a line. Nothing stays nothing.
pub(crate) fn closed(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
