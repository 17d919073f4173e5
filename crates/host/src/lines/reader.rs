//! Reads lines of a bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// What is next in the stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, without its end.
    Whole(Vec<u8>),
    /// A line that is longer than it may be. It was skipped.
    TooLong,
    /// The stream has ended.
    End,
}

/// Reads the next line. No more than `most` bytes of it are in memory.
pub(super) async fn read_line(input: &mut (impl AsyncBufRead + Unpin), most: usize) -> io::Result<Line> {
    let (mut line, mut too_long, mut began) = (Vec::new(), false, false);
    loop {
        let buffer = input.fill_buf().await?;
        if buffer.is_empty() {
            return Ok(match (began, too_long) {
                (false, _) => Line::End,
                (true, true) => Line::TooLong,
                (true, false) => Line::Whole(line),
            });
        }
        began = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
        too_long |= line.len().saturating_add(part.len()) > most;
        if too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(if too_long { Line::TooLong } else { Line::Whole(line) });
        }
    }
}

#[cfg(test)]
mod tests;
