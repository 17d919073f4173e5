//! The bytes of a recording.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::RecordingError;

/// Maximum bytes of a recording, unpacked. A session of a whole day is about a fiftieth of it.
const LIMIT: u64 = 512 << 20;

/// The first two bytes of a gzip file (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a file, and unpacks it when its content says that it is packed. What is too large is refused before it is in
/// memory: a file by its size, and a packed one by unpacking it once without keeping the bytes.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, RecordingError> {
    let failed = |source: io::Error| RecordingError::Io { file: path.to_owned(), source };
    let too_large = || RecordingError::TooLarge { file: path.to_owned(), limit: LIMIT >> 20 };
    let file = File::open(path).map_err(failed)?;
    // A pipe has no size.
    if file.metadata().map_err(failed)?.len() > LIMIT {
        return Err(too_large());
    }
    let raw = bounded(file, 0).map_err(failed)?;
    if raw.len() as u64 > LIMIT {
        return Err(too_large());
    }
    if !raw.starts_with(&GZIP) {
        return Ok(raw);
    }
    let unpacked = || MultiGzDecoder::new(raw.as_slice());
    let damaged = |error: io::Error| damaged(path, error);
    let size = io::copy(&mut unpacked().take(LIMIT + 1), &mut io::sink()).map_err(damaged)?;
    if size > LIMIT {
        return Err(too_large());
    }
    bounded(unpacked(), usize::try_from(size).unwrap_or_default()).map_err(damaged)
}

/// The first bytes of a recording, unpacked, at most this many. What is damaged behind them is not noticed.
///
/// # Errors
/// The file cannot be read, or is damaged before its first byte.
pub fn recording_start(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut start)?;
    if !start.starts_with(&GZIP) {
        return Ok(start);
    }
    let mut unpacked = Vec::new();
    match MultiGzDecoder::new(File::open(path)?).take(most).read_to_end(&mut unpacked) {
        Err(error) if unpacked.is_empty() => Err(error),
        _ => Ok(unpacked),
    }
}

/// What an error of unpacking means.
fn damaged(path: &Path, error: io::Error) -> RecordingError {
    let file = path.to_owned();
    match error.kind() {
        ErrorKind::UnexpectedEof => {
            RecordingError::Truncated { file, what: "its gzip stream breaks off".to_owned() }
        }
        ErrorKind::InvalidInput | ErrorKind::InvalidData => {
            RecordingError::Truncated { file, what: format!("its gzip stream is damaged: {error}") }
        }
        _ => RecordingError::Io { file, source: error },
    }
}

/// Everything up to one byte more than the limit. `expected` is how many bytes will come, if that is known.
fn bounded(from: impl Read, expected: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(expected);
    from.take(LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
