//! Where an export is written to.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use anyhow::Context as _;

/// Opens a file for writing, new or old, that only its owner can read: sessions hold user input and tool output. An old one has its
/// content until the first write or flush, so that an export that cannot be made replaces nothing.
pub(super) fn create(path: &Path) -> anyhow::Result<Box<dyn Write + Send>> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600);
    let opened = options.open(path).and_then(|file: File| {
        // A device or a pipe keeps its mode.
        if file.metadata()?.is_file() {
            file.set_permissions(Permissions::from_mode(0o600))?;
        }
        Ok(file)
    });
    let file = opened.with_context(|| format!("could not write {}", path.display()))?;
    Ok(Box::new(BufWriter::new(Replacement { file, has_begun: false })))
}

/// A file whose old content is removed when the new one begins.
struct Replacement {
    file: File,
    has_begun: bool,
}

impl Replacement {
    fn begin(&mut self) -> io::Result<()> {
        if !self.has_begun && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.has_begun = true;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.begin()?;
        self.file.flush()
    }
}

/// Standard output.
pub fn stdout() -> Box<dyn Write + Send> {
    Box::new(BufWriter::new(io::stdout()))
}

/// Returns true if two paths lead to one file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some() && identity(one) == identity(other)
}

#[cfg(test)]
mod tests;
