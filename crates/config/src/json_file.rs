//! A small JSON file of the user's data folder, shared by all processes of this program.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Attempt as _, ConfigError, Result};

/// A larger file was not written by this program.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// A lock is tried for ten seconds: several processes may share a slow disk.
const TRIES: u32 = 500;
const PAUSE: Duration = Duration::from_millis(20);

/// A JSON file that several processes may change at once.
#[derive(Debug, Clone)]
pub struct JsonFile {
    path: PathBuf,
}

impl JsonFile {
    /// The file at a path. It need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The value in the file; the default if the file is missing or empty.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else. It is not changed.
    pub fn read<T: DeserializeOwned + Default>(&self) -> Result<T> {
        let shown = self.path.display();
        let size = match std::fs::metadata(&self.path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => return Err(ConfigError::usage(format!("{shown} is no file; move it away"))),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(T::default()),
            Err(error) => return Err(error).attempt(|| format!("cannot read {shown}")),
        };
        if size > MAX_BYTES {
            return Err(ConfigError::usage(format!("{shown} is too large to be read; move it away")));
        }
        let text = std::fs::read_to_string(&self.path).attempt(|| format!("cannot read {shown}"))?;
        if text.trim().is_empty() {
            return Ok(T::default());
        }
        serde_json::from_str(&text)
            .attempt(|| format!("{shown} is damaged; repair it, or remove it to start over"))
    }

    /// Changes the value atomically, under a lock against other processes.
    ///
    /// # Errors
    /// The file cannot be read or written. Then it is unchanged.
    pub fn change<T: Serialize + DeserializeOwned + Default>(
        &self,
        change: impl FnOnce(&mut T),
    ) -> Result<()> {
        let shown = self.path.display();
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let unusable = || format!("cannot write {shown}");
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).attempt(unusable)?;
        let _lock = lock(&self.path)?;
        let mut value: T = self.read()?;
        change(&mut value);
        let mut text = serde_json::to_string_pretty(&value).attempt(unusable)?;
        text.push('\n');
        // Temporary files are readable by their owner alone, and the mode stays.
        let mut file = tempfile::NamedTempFile::new_in(folder).attempt(unusable)?;
        file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).attempt(unusable)?;
        file.persist(&self.path).map_err(|error| error.error).attempt(unusable)?;
        Ok(())
    }

    /// Removes the file, and the lock file next to it. Neither need exist.
    pub fn remove(&self) -> Result<()> {
        for path in [self.path.clone(), self.path.with_extension("lock")] {
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error).attempt(|| format!("could not remove {}", path.display()));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Locks a file that several processes share, by a lock file next to it: the file itself is replaced on each write. The
/// lock ends when the returned file is dropped.
///
/// # Errors
/// Another process holds the lock for ten seconds, or the folder cannot be written to.
pub fn lock(of: &Path) -> Result<File> {
    let path = of.with_extension("lock");
    let cannot = || format!("cannot use the lock file {}", path.display());
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path).attempt(cannot)?;
    lock_open(file, &path)
}

/// Locks an open file or folder, which is at this path.
///
/// # Errors
/// Another process holds the lock for ten seconds.
pub(crate) fn lock_open(file: File, path: &Path) -> Result<File> {
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => {
                return Err(error).attempt(|| format!("cannot use the lock file {}", path.display()));
            }
        }
    }
    let text = format!("another process holds {}; try again when it has ended", path.display());
    Err(ConfigError::usage(text))
}
