//! A small JSON file of the user's data folder, shared by all processes of this program.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Larger ones are not ours.
const MOST: u64 = 16 * 1024 * 1024;
/// How often, and how long apart, a lock that another process has is tried: ten seconds, for a slow disk that several
/// write to.
const TRIES: u32 = 500;
const PAUSE: Duration = Duration::from_millis(20);

/// The file.
#[derive(Debug, Clone)]
pub(crate) struct KeptFile {
    path: PathBuf,
}

impl KeptFile {
    pub(crate) fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds; the default when it is not there.
    ///
    /// # Errors
    /// When it cannot be read or holds something else. It is left as it is.
    pub(crate) fn read<T: DeserializeOwned + Default>(&self) -> anyhow::Result<T> {
        let shown = self.path.display();
        let size = match std::fs::metadata(&self.path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => bail!("{shown} is no file; move it away"),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(T::default()),
            Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
        };
        anyhow::ensure!(size <= MOST, "{shown} is too large to be read; move it away");
        let text = std::fs::read_to_string(&self.path).with_context(|| format!("cannot read {shown}"))?;
        if text.trim().is_empty() {
            return Ok(T::default());
        }
        serde_json::from_str(&text)
            .with_context(|| format!("{shown} is damaged; mend it, or remove it to begin anew"))
    }

    /// Changes what it holds: whole or not at all, and no other process in between.
    ///
    /// # Errors
    /// When it cannot be read or written; then it is as it was.
    pub(crate) fn change<T: Serialize + DeserializeOwned + Default>(
        &self,
        change: impl FnOnce(&mut T),
    ) -> anyhow::Result<()> {
        let shown = self.path.display();
        let folder = self.path.parent().context("the file has no folder")?;
        let unusable = || format!("cannot write {shown}");
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(unusable)?;
        let _lock = lock(&self.path)?;
        let mut value: T = self.read()?;
        change(&mut value);
        let mut text = serde_json::to_string_pretty(&value)?;
        text.push('\n');
        // Made for the owner alone.
        let mut file = tempfile::NamedTempFile::new_in(folder).with_context(unusable)?;
        file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).with_context(unusable)?;
        file.persist(&self.path).map_err(|error| error.error).with_context(unusable)?;
        Ok(())
    }
}

/// Locks a file that all processes of this program share, by a file beside it, as it is itself replaced. The lock ends with
/// the returned file.
///
/// # Errors
/// When another process has it for two seconds, or the folder cannot be written to.
pub(crate) fn lock(of: &Path) -> anyhow::Result<File> {
    let path = of.with_extension("lock");
    let cannot = || format!("cannot use the lock file {}", path.display());
    let mut options = OpenOptions::new();
    let file =
        options.write(true).create(true).truncate(false).mode(0o600).open(&path).with_context(cannot)?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
        }
    }
    bail!("another process holds {}; try again when it has ended", path.display())
}
