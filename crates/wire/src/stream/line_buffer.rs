//! Bytes in pieces of any size to whole lines.

/// Longest line, or longest data of one event, in bytes: 32 MiB. The largest answers are far below it.
pub const MOST_BYTES: usize = 32 * 1024 * 1024;

/// A line, or the data of one event, is longer than the buffer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the stream holds a line or an event of more than {limit} bytes")]
pub struct LineTooLong {
    /// Maximum bytes of the buffer.
    pub limit: usize,
}

/// The end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineEnding {
    /// `\n` alone; a `\r` in front of it stays in the line.
    Lf,
    /// `\n`, `\r\n` or `\r`.
    LfOrCr,
}

/// Splits bytes into lines. A line is read as UTF-8 only when it is whole, so pieces may end inside a character.
#[derive(Debug)]
pub(crate) struct LineBuffer {
    ends: LineEnding,
    limit: usize,
    pending: Vec<u8>,
    /// The last byte was a `\r` that ended a line: a `\n` directly after it belongs to it.
    after_cr: bool,
}

impl LineBuffer {
    pub(crate) fn new(ends: LineEnding, limit: usize) -> Self {
        Self { ends, limit, pending: Vec::new(), after_cr: false }
    }

    /// Passes each complete line to `take`, until that returns an error.
    ///
    /// # Errors
    /// A line is too long; nothing after it can be read.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        mut take: impl FnMut(String) -> Result<(), LineTooLong>,
    ) -> Result<(), LineTooLong> {
        let mut rest = bytes;
        loop {
            if let [first, tail @ ..] = rest
                && std::mem::take(&mut self.after_cr)
                && *first == b'\n'
            {
                rest = tail;
            }
            let end = rest.iter().position(|byte| self.is_end(*byte));
            let (line, behind) = match end.and_then(|end| rest.split_at_checked(end)) {
                Some((line, behind)) => (line, Some(behind)),
                None => (rest, None),
            };
            if self.pending.len().saturating_add(line.len()) > self.limit {
                self.pending = Vec::new();
                return Err(LineTooLong { limit: self.limit });
            }
            self.pending.extend_from_slice(line);
            let Some([end, tail @ ..]) = behind else { return Ok(()) };
            self.after_cr = *end == b'\r';
            take(self.take_pending())?;
            rest = tail;
        }
    }

    /// The line that has no end yet, when there is one.
    pub(crate) fn last(&mut self) -> Option<String> {
        (!self.pending.is_empty()).then(|| self.take_pending())
    }

    fn take_pending(&mut self) -> String {
        match String::from_utf8(std::mem::take(&mut self.pending)) {
            Ok(line) => line,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }

    fn is_end(&self, byte: u8) -> bool {
        byte == b'\n' || (byte == b'\r' && self.ends == LineEnding::LfOrCr)
    }
}
