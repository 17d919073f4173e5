//! Opens regular files for the tools; pipes, sockets and devices are refused with a text for the model.

use std::fs::{File, FileType, Metadata};
use std::io::Read;
use std::os::unix::fs::FileTypeExt;

use super::allowed_roots::{self, FilePlace};
use crate::output::ToolOutput;
use crate::regular_file::OpenError;

/// Maximum bytes of a file that is read into memory as a whole. Larger files cannot be edited.
pub(super) const WHOLE: u64 = 32 * 1024 * 1024;

/// Opens a file for reading.
///
/// # Errors
/// An error output for the model when it cannot be opened or is not a regular file.
pub(super) fn open(place: &FilePlace, path: &str) -> Result<(File, Metadata), ToolOutput> {
    place.open().map_err(|error| match error {
        OpenError::Refused(error) => allowed_roots::failed("read", path, &error),
        OpenError::Special(kind) => special(kind, path),
    })
}

/// Reads the whole file. Returns `None` if it has more than [`WHOLE`] bytes.
///
/// # Errors
/// An error output for the model when it cannot be read.
pub(super) fn whole(file: &mut File, metadata: &Metadata, path: &str) -> Result<Option<Vec<u8>>, ToolOutput> {
    if metadata.len() > WHOLE {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default() + 1);
    // A file of /proc has no size, and any file may grow.
    file.take(WHOLE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| allowed_roots::failed("read", path, &error))?;
    Ok((bytes.len() as u64 <= WHOLE).then_some(bytes))
}

fn special(kind: FileType, path: &str) -> ToolOutput {
    let what = match kind {
        _ if kind.is_dir() => {
            return ToolOutput::error(format!("{path} is a folder. list_files shows what is in it."));
        }
        _ if kind.is_fifo() => "a named pipe",
        _ if kind.is_socket() => "a socket",
        _ if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "no regular file",
    };
    ToolOutput::error(format!(
        "{path} is {what}, not a file with content. If you need what comes out of it, use shell with a time-out."
    ))
}
