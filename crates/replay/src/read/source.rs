//! The bytes of a recording.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::RecordingError;

/// Most bytes of a recording, unpacked. A session of a whole day is about a hundredth of it.
const LIMIT: u64 = 1 << 30;

/// The first two bytes of a gzip file (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a file, and unpacks it when its content says that it is packed.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, RecordingError> {
    let file = || path.to_owned();
    let failed = |source: io::Error| RecordingError::Io { file: file(), source };
    let raw = bounded(File::open(path).map_err(failed)?, LIMIT).map_err(failed)?;
    let bytes = if raw.starts_with(&GZIP) {
        bounded(MultiGzDecoder::new(raw.as_slice()), LIMIT).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                RecordingError::Truncated { file: file(), what: "its gzip stream breaks off".to_owned() }
            }
            ErrorKind::InvalidInput | ErrorKind::InvalidData => RecordingError::Truncated {
                file: file(),
                what: format!("its gzip stream is damaged: {error}"),
            },
            _ => failed(error),
        })?
    } else {
        raw
    };
    if bytes.len() as u64 > LIMIT {
        return Err(RecordingError::TooLarge { file: file(), limit: LIMIT });
    }
    Ok(bytes)
}

/// Everything up to one byte more than the limit.
fn bounded(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
