//! A file with a secret.

use std::fs::DirBuilder;
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes a new file as a whole, for the owner's eyes alone (0600). A missing folder is made (0700). An existing file stays
/// unchanged.
///
/// # Errors
/// The file exists, which is [`io::ErrorKind::AlreadyExists`], or its folder cannot be written.
pub(crate) fn write_new_secret(file: &Path, text: &str) -> io::Result<()> {
    unnamed(file, text)?.persist_noclobber(file).map(drop).map_err(|error| error.error)
}

/// The same, in place of an existing file.
///
/// # Errors
/// The folder cannot be written. An existing file stays unchanged then.
pub(crate) fn write_secret(file: &Path, text: &str) -> io::Result<()> {
    unnamed(file, text)?.persist(file).map(drop).map_err(|error| error.error)
}

/// The text in a private file that does not have its name yet.
fn unnamed(file: &Path, text: &str) -> io::Result<NamedTempFile> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut new = NamedTempFile::new_in(folder)?;
    writeln!(new, "{text}")?;
    new.as_file().sync_all()?;
    Ok(new)
}
