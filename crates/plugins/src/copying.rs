//! Copies the folder of a plugin, with limits.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Attempt as _, PluginError, Result};

/// Maximum bytes of a plugin. One is texts and small programs; what is larger brings a build or its dependencies by mistake, and
/// would be copied with each update.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Maximum files and folders of a plugin, for the same reason.
const MAX_ENTRIES: usize = 10_000;

/// What is not a part of a plugin: the history of its repository.
const LEFT_OUT: &str = ".git";

/// Copies everything in a folder, whose path is a real one, into an empty one.
///
/// # Errors
/// A link leads out of the folder, there is something that is no file, folder or link, or it is too large. The text names the place.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut copying = Copying { from, to, bytes: 0, entries: 0 };
    let mut waiting = vec![PathBuf::new()];
    while let Some(folder) = waiting.pop() {
        let place = from.join(&folder);
        let cannot = || format!("cannot read {}", place.display());
        for entry in place.read_dir().attempt(cannot)? {
            let entry = entry.attempt(cannot)?;
            let path = folder.join(entry.file_name());
            if entry.file_name() == LEFT_OUT {
                continue;
            }
            copying.count(&path)?;
            let kind = entry.file_type().attempt(cannot)?;
            if kind.is_dir() {
                let made = to.join(&path);
                fs::create_dir(&made).attempt(|| format!("cannot make {}", made.display()))?;
                waiting.push(path);
            } else if kind.is_symlink() {
                copying.link(&path)?;
            } else if kind.is_file() {
                copying.file(&path)?;
            } else {
                return Err(copying.refused(&path, "is no file, folder or link; remove it"));
            }
        }
    }
    Ok(())
}

struct Copying<'a> {
    from: &'a Path,
    to: &'a Path,
    bytes: u64,
    entries: usize,
}

impl Copying<'_> {
    fn count(&mut self, path: &Path) -> Result<()> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES {
            let why = format!("is one file too many: a plugin has at most {MAX_ENTRIES} files and folders");
            return Err(self.refused(path, &why));
        }
        Ok(())
    }

    fn file(&mut self, path: &Path) -> Result<()> {
        let from = self.from.join(path);
        let cannot = || format!("cannot copy {}", from.display());
        let size = from.metadata().attempt(cannot)?.len();
        self.bytes = self.bytes.saturating_add(size);
        if self.bytes > MAX_BYTES {
            let why = format!("makes the plugin larger than {} MiB; leave large files out", MAX_BYTES >> 20);
            return Err(self.refused(path, &why));
        }
        fs::copy(&from, self.to.join(path)).map(drop).attempt(cannot)
    }

    /// A link inside of the folder stays a link.
    fn link(&self, path: &Path) -> Result<()> {
        let from = self.from.join(path);
        let cannot = || format!("cannot copy the link {}", from.display());
        let target = fs::read_link(&from).attempt(cannot)?;
        let inside = from.canonicalize().is_ok_and(|real| real.starts_with(self.from));
        if target.is_absolute() || !inside {
            let why = format!(
                "is a link to {}, which leads out of the plugin or nowhere; replace it by a file",
                target.display()
            );
            return Err(self.refused(path, &why));
        }
        std::os::unix::fs::symlink(&target, self.to.join(path)).attempt(cannot)
    }

    fn refused(&self, path: &Path, why: &str) -> PluginError {
        PluginError::refused(format!("{} {why}", self.from.join(path).display()))
    }
}

#[cfg(test)]
mod tests;
