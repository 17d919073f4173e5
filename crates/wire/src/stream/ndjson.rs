//! Lines of newline-delimited JSON out of bytes.

use crate::stream::line_buffer::{LineBuffer, LineEnding, LineTooLong, MOST_BYTES};

/// Splits a stream into lines, whatever pieces the bytes come in. Blank lines are skipped, and white space around
/// a line is no part of it. Bytes that are no UTF-8 become the replacement character.
#[derive(Debug)]
pub struct NdjsonLines {
    lines: LineBuffer,
    failed: bool,
}

impl Default for NdjsonLines {
    fn default() -> Self {
        Self::with_limit(MOST_BYTES)
    }
}

impl NdjsonLines {
    /// Keeps at most [`MOST_BYTES`] of one line.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps at most this many bytes of one line.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self { lines: LineBuffer::new(LineEnding::Lf, limit), failed: false }
    }

    /// Takes the next bytes and gives the lines that are now whole. An error comes once and is the last item.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<String, LineTooLong>> {
        let mut lines = Vec::new();
        if self.failed {
            return lines;
        }
        let read = self.lines.push(bytes, |line| {
            lines.extend(trimmed(&line).map(Ok));
            Ok(())
        });
        if let Err(error) = read {
            self.failed = true;
            lines.push(Err(error));
        }
        lines
    }

    /// The line that the stream ended in, without its newline.
    #[must_use]
    pub fn finish(mut self) -> Option<String> {
        if self.failed { None } else { self.lines.last().as_deref().and_then(trimmed) }
    }
}

fn trimmed(line: &str) -> Option<String> {
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
mod tests;
