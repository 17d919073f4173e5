//! The pages of a database file, with those of its write-ahead log in their places.
//!
//! Format: <https://sqlite.org/fileformat2.html>. Nothing is written.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes of the header on the first page.
pub(super) const FILE_HEADER: usize = 100;
const LOG_HEADER: u64 = 32;
const FRAME_HEADER: u64 = 24;
/// The size of pages that this program creates, for a file whose header does not say.
const USUAL_SIZE: usize = 4_096;

/// A database file that is read page by page, whatever state it is in.
pub(super) struct Pages {
    file: File,
    log: Option<File>,
    /// Where the write-ahead log has the newest version of a page.
    newer: HashMap<u32, u64>,
    size: usize,
    usable: usize,
    count: u32,
}

impl Pages {
    pub(super) fn open(database: &Path) -> io::Result<Self> {
        let mut file = File::open(database)?;
        let mut header = [0; FILE_HEADER];
        let read = read_up_to(&mut file, &mut header)?;
        let (size, reserved) = if read < FILE_HEADER { (USUAL_SIZE, 0) } else { page_size(&header) };
        let length = file.metadata()?.len();
        let mut pages = Self {
            file,
            log: None,
            newer: HashMap::new(),
            size,
            usable: size - reserved,
            count: u32::try_from(length.div_ceil(size as u64)).unwrap_or(u32::MAX),
        };
        let mut name = database.as_os_str().to_owned();
        name.push("-wal");
        if let Ok(log) = File::open(name) {
            pages.read_log(log);
        }
        Ok(pages)
    }

    /// The number of pages.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Bytes of a page that hold content.
    pub(super) fn usable(&self) -> usize {
        self.usable
    }

    /// A page by its number, from 1. A page that cannot be read is full of zeros from there on.
    pub(super) fn page(&mut self, number: u32) -> Vec<u8> {
        let mut page = vec![0; self.size];
        let start = u64::from(number.saturating_sub(1)) * self.size as u64;
        let (file, start) = match (self.newer.get(&number), &mut self.log) {
            (Some(place), Some(log)) => (log, *place),
            _ => (&mut self.file, start),
        };
        if file.seek(SeekFrom::Start(start)).is_ok() {
            // The rest of the page stays zero, which no record survives unnoticed.
            let _ = read_up_to(file, &mut page);
        }
        page
    }

    /// Notes the frames that belong together with the header of the log. A frame of an earlier round ends them.
    fn read_log(&mut self, mut log: File) {
        let mut header = [0; LOG_HEADER as usize];
        if read_up_to(&mut log, &mut header).ok() != Some(header.len()) {
            return;
        }
        let salt = header.get(16..24).map(<[u8]>::to_vec);
        let mut place = LOG_HEADER;
        loop {
            let mut frame = [0; FRAME_HEADER as usize];
            let read = log.seek(SeekFrom::Start(place)).and_then(|_| read_up_to(&mut log, &mut frame));
            if read.ok() != Some(frame.len()) || frame.get(8..16).map(<[u8]>::to_vec) != salt {
                break;
            }
            let number = number(&frame, 0);
            self.newer.insert(number, place + FRAME_HEADER);
            self.count = self.count.max(number);
            place += FRAME_HEADER + self.size as u64;
        }
        self.log = Some(log);
    }
}

/// The size of pages, and how many bytes at the end of each are reserved.
fn page_size(header: &[u8]) -> (usize, usize) {
    let size = match short(header, 16) {
        1 => 65_536,
        size => size,
    };
    let reserved = header.get(20).copied().map_or(0, usize::from);
    if size.is_power_of_two() && (512..=65_536).contains(&size) && size - reserved >= 480 {
        (size, reserved)
    } else {
        (USUAL_SIZE, 0)
    }
}

/// Two bytes as a number.
pub(super) fn short(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..at + 2).map_or(0, |bytes| bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
}

/// Four bytes as a number.
pub(super) fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |bytes| bytes.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
}

fn read_up_to(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while let Some(rest) = buffer.get_mut(read..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests;
