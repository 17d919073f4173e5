//! Replaces a file atomically: a reader sees the old content or the new one.

use std::fs::{self, Permissions};
use std::io::{ErrorKind, Result, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes the names of concurrent temporary files unique.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Writes `content` to `path` and preserves the permissions of an existing file. Creates missing folders.
pub(super) fn replace_file(path: &Path, content: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let rights = match fs::metadata(path) {
        Ok(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(old) if old.permissions().readonly() => return Err(ErrorKind::PermissionDenied.into()),
        Ok(old) => Some(old.permissions()),
        Err(_) => None,
    };
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let draft = folder.join(format!(".throughline-{}-{number}.tmp", std::process::id()));
    let written = write(&draft, path, content, rights);
    if written.is_err() {
        // The first error is the one to report; a leftover draft does no harm.
        let _ = fs::remove_file(&draft);
    }
    written
}

fn write(draft: &Path, path: &Path, content: &[u8], rights: Option<Permissions>) -> Result<()> {
    // The draft is never more readable than the file that it replaces.
    let mode = rights.as_ref().map_or(0o666, |rights| rights.mode() & 0o777);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode | 0o200).open(draft)?;
    file.write_all(content)?;
    if let Some(rights) = rights {
        file.set_permissions(rights)?;
    }
    fs::rename(draft, path)
}
