//! Opens regular files only: reading a pipe or a device may never end.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::Error;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// Reason why a file was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is not a regular file but of this type.
    #[error("it is not a regular file")]
    Special(FileType),
    /// The system reports an error.
    #[error("it cannot be opened")]
    Refused(#[from] Error),
}

/// Opens a file for reading without ever blocking. Follows symbolic links.
///
/// # Errors
/// [`OpenError`] when it cannot be opened or is a folder, a pipe, a socket or a device.
pub fn open_regular(path: &Path) -> Result<(File, Metadata), OpenError> {
    // Checked before opening too, because opening has an effect on some devices.
    regular(path.metadata()?)?;
    // Non-blocking, because it may have been replaced by a pipe since the check.
    let flags = OFlags::NONBLOCK.bits() as i32;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let metadata = regular(file.metadata()?)?;
    Ok((file, metadata))
}

/// Refuses the metadata of anything but a regular file.
pub(crate) fn regular(metadata: Metadata) -> Result<Metadata, OpenError> {
    if metadata.is_file() { Ok(metadata) } else { Err(OpenError::Special(metadata.file_type())) }
}

#[cfg(test)]
mod tests;
