//! A new file with a secret.

use std::io::{self, Write as _};
use std::path::Path;

/// Writes a new file as a whole, for the owner's eyes alone (0600). An existing one stays unchanged.
///
/// # Errors
/// The file exists, which is [`io::ErrorKind::AlreadyExists`], or its folder cannot be written.
pub(crate) fn write_new_secret(file: &Path, text: &str) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(new, "{text}")?;
    new.as_file().sync_all()?;
    new.persist_noclobber(file).map(drop).map_err(|error| error.error)
}
