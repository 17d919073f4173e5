//! Where an export is written to.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use anyhow::Context as _;

/// Opens a file for writing, new or old, that only its owner can read: sessions hold user input and tool output.
pub(super) fn create(path: &Path) -> anyhow::Result<Box<dyn Write + Send>> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let opened = options.open(path).and_then(|file: File| {
        // A device or a pipe keeps its mode.
        if file.metadata()?.is_file() {
            file.set_permissions(Permissions::from_mode(0o600))?;
        }
        Ok(file)
    });
    let file = opened.with_context(|| format!("could not write {}", path.display()))?;
    Ok(Box::new(BufWriter::new(file)))
}

/// Standard output.
pub fn stdout() -> Box<dyn Write + Send> {
    Box::new(BufWriter::new(std::io::stdout()))
}

/// Returns true if two paths lead to one file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some() && identity(one) == identity(other)
}
