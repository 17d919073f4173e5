//! Keeping what a command writes, in bounded memory.

use std::collections::VecDeque;

use super::spool::{Spool, SpoolFile};

/// Bytes that are kept in memory of the beginning, and as many of the end. On its way to the store a result is there
/// several times over; the whole of a longer stream is in a file.
const PART: usize = 2 * 1024 * 1024;

/// The same for a job. Many of them may wait to be read at once.
const JOB_PART: usize = 256 * 1024;

/// The beginning and the end of a stream. Of a short one that is everything; a long one also goes to a file.
#[derive(Debug)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
    part: usize,
    spool: Spool,
    overflow: Overflow,
}

/// Where the whole stream is kept.
#[derive(Debug)]
enum Overflow {
    /// In memory.
    None,
    /// In a file.
    File(SpoolFile),
    /// Nowhere.
    Lost(std::io::Error),
}

impl Capture {
    /// For a command that is waited for.
    pub(super) fn new(spool: Spool) -> Self {
        Self::with_part(PART, spool)
    }

    /// For one of many commands whose output waits to be read.
    pub(super) fn of_job(spool: Spool) -> Self {
        Self::with_part(JOB_PART, spool)
    }

    fn with_part(part: usize, spool: Spool) -> Self {
        let overflow = Overflow::None;
        Self { head: Vec::new(), tail: VecDeque::new(), left_out: 0, part, spool, overflow }
    }

    /// Takes what came next.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.spool(bytes);
        let room = self.part.saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.head.extend_from_slice(first);
        // Of more than fits only the end would stay.
        let skip = rest.len().saturating_sub(self.part);
        let over = (self.tail.len() + rest.len()).saturating_sub(self.part);
        self.tail.drain(..(over - skip).min(self.tail.len()));
        self.tail.extend(rest.get(skip..).unwrap_or_default());
        self.left_out += over as u64;
    }

    /// Begins a file when something is about to leave memory, and goes on with it.
    fn spool(&mut self, bytes: &[u8]) {
        let held = self.head.len() + self.tail.len();
        if matches!(self.overflow, Overflow::None) && held + bytes.len() > 2 * self.part {
            self.overflow = match self.spool.file() {
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

    /// What was kept since the last time, and begins anew.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let next = Self::with_part(self.part, self.spool.clone());
        std::mem::replace(self, next).finish()
    }

    /// Everything that was kept, with a line that says what was not.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut all = self.head;
        if self.left_out > 0 {
            let place = match &self.overflow {
                Overflow::None => String::new(),
                Overflow::Lost(error) => format!("; they could not be kept: {error}"),
                Overflow::File(file) => {
                    let path = file.path().display();
                    match file.only() {
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
