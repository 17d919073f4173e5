//! The bytes of a recording.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use serde_json::Value;

use super::RecordingError;
use super::lenient_json::lenient_json;
use super::zstd_frames::ZstdFrames;

/// Maximum bytes of a recording, unpacked. A session of a whole day is about a fiftieth of it.
const LIMIT: u64 = 512 << 20;

/// The first bytes of a gzip file (RFC 1952) and of a zstd file (RFC 8878), and how names of such files end.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const ENDINGS: [&str; 2] = [".gz", ".zst"];

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
    let Some(packed) = Packed::of(&raw) else { return Ok(raw) };
    let damaged = |error: io::Error| packed.damaged(path, error);
    let size = io::copy(&mut packed.unpack(raw.as_slice()).take(LIMIT + 1), &mut io::sink());
    let size = size.map_err(damaged)?;
    if size > LIMIT {
        return Err(too_large());
    }
    bounded(packed.unpack(raw.as_slice()), usize::try_from(size).unwrap_or_default()).map_err(damaged)
}

/// Opens a recording to read it from its start, unpacked. Nothing limits how much comes.
///
/// # Errors
/// The file cannot be read.
pub fn open_recording(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(File::open(path)?);
    Ok(match Packed::of(file.fill_buf()?) {
        Some(packed) => Box::new(BufReader::new(packed.unpack(file))),
        None => Box::new(file),
    })
}

/// The first bytes of a recording, unpacked, at most this many. What is damaged behind them is not noticed.
///
/// # Errors
/// The file cannot be read, or is damaged before its first byte.
pub fn recording_start(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    match open_recording(path)?.take(most).read_to_end(&mut start) {
        Err(error) if start.is_empty() => Err(error),
        _ => Ok(start),
    }
}

/// The value of the first line of a recording, of which at most this many bytes are read. `None`: it cannot be read, or is no
/// JSON.
#[must_use]
pub fn first_value(path: &Path, most: u64) -> Option<Value> {
    let mut line = Vec::new();
    open_recording(path).ok()?.take(most).read_until(b'\n', &mut line).ok()?;
    lenient_json(&line).ok()
}

/// The name of a file without the ending that says how it is packed.
#[must_use]
pub fn unpacked_name(name: &str) -> &str {
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// How a file is packed.
#[derive(Debug, Clone, Copy)]
enum Packed {
    Gzip,
    Zstd,
}

impl Packed {
    /// By the first bytes of the file. `None`: it is not packed.
    fn of(start: &[u8]) -> Option<Self> {
        let gzip = start.starts_with(&GZIP).then_some(Self::Gzip);
        gzip.or_else(|| start.starts_with(&ZSTD).then_some(Self::Zstd))
    }

    fn unpack<'r>(self, packed: impl BufRead + 'r) -> Box<dyn Read + 'r> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Self::Zstd => Box::new(ZstdFrames::of(packed)),
        }
    }

    /// What an error of unpacking means.
    fn damaged(self, path: &Path, error: io::Error) -> RecordingError {
        let name = match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        };
        let file = path.to_owned();
        match error.kind() {
            ErrorKind::UnexpectedEof => {
                RecordingError::Truncated { file, what: format!("its {name} stream breaks off") }
            }
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                RecordingError::Truncated { file, what: format!("its {name} stream is damaged: {error}") }
            }
            _ => RecordingError::Io { file, source: error },
        }
    }
}

/// Everything up to one byte more than the limit. `expected` is how many bytes will come, if that is known.
fn bounded(from: impl Read, expected: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(expected);
    from.take(LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
