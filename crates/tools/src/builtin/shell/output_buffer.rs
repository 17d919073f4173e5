//! Buffers the output of a command in bounded memory.

use std::collections::VecDeque;

use crate::output_files::{OutputFile, OutputFiles};

/// Bytes of the beginning that stay in memory, and as many of the end. A result is copied several times before it
/// is stored, so this stays small; a longer output is in a file as a whole.
const PART: usize = 2 * 1024 * 1024;

/// The same for a background job: many of them may have unread output at once.
const JOB_PART: usize = 256 * 1024;

/// The beginning and the end of an output. A short output is complete in memory; a long one also goes to a file.
#[derive(Debug)]
pub(super) struct OutputBuffer {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
    part: usize,
    files: OutputFiles,
    overflow: Overflow,
}

/// Where the whole output is stored.
#[derive(Debug)]
enum Overflow {
    /// It is short enough for memory.
    None,
    File(OutputFile),
    /// The file could not be created.
    Lost(std::io::Error),
}

impl OutputBuffer {
    /// For a command whose call waits for it.
    pub(super) fn new(files: OutputFiles) -> Self {
        Self::with_part(PART, files)
    }

    /// For a background job.
    pub(super) fn for_job(files: OutputFiles) -> Self {
        Self::with_part(JOB_PART, files)
    }

    fn with_part(part: usize, files: OutputFiles) -> Self {
        let overflow = Overflow::None;
        Self { head: Vec::new(), tail: VecDeque::new(), left_out: 0, part, files, overflow }
    }

    /// Appends the next output.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.store(bytes);
        let room = self.part.saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.head.extend_from_slice(first);
        // Of a part larger than the tail only its end is needed.
        let skip = rest.len().saturating_sub(self.part);
        let over = (self.tail.len() + rest.len()).saturating_sub(self.part);
        self.tail.drain(..(over - skip).min(self.tail.len()));
        self.tail.extend(rest.get(skip..).unwrap_or_default());
        self.left_out += over as u64;
    }

    /// Creates the file as soon as a byte would be dropped from memory, and appends to it from then on.
    fn store(&mut self, bytes: &[u8]) {
        let buffered = self.head.len() + self.tail.len();
        if matches!(self.overflow, Overflow::None) && buffered + bytes.len() > 2 * self.part {
            self.overflow = match self.files.create() {
                Err(error) => Overflow::Lost(error),
                Ok(mut file) => {
                    let (a, b) = self.tail.as_slices();
                    [&self.head, a, b].into_iter().for_each(|part| file.push(part));
                    Overflow::File(file)
                }
            };
        }
        if let Overflow::File(file) = &mut self.overflow {
            file.push(bytes);
        }
    }

    /// Takes the output since the last call and starts with an empty buffer.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let next = Self::with_part(self.part, self.files.clone());
        std::mem::replace(self, next).finish()
    }

    /// The buffered output, with a line in the middle that says how much was dropped and where the whole is stored.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut all = self.head;
        if self.left_out > 0 {
            let place = match &self.overflow {
                Overflow::None => String::new(),
                Overflow::Lost(error) => format!("; they could not be kept: {error}"),
                Overflow::File(file) => {
                    let path = file.path().display();
                    match file.truncated_at() {
                        None => format!("; all of it is in {path}"),
                        Some(bytes) => format!("; the first {bytes} bytes of it are in {path}"),
                    }
                }
            };
            all.extend_from_slice(
                format!("\n[... {} bytes left out{place} ...]\n", self.left_out).as_bytes(),
            );
        }
        let (a, b) = self.tail.as_slices();
        all.reserve_exact(a.len() + b.len());
        all.extend_from_slice(a);
        all.extend_from_slice(b);
        all
    }
}

#[cfg(test)]
mod tests;
