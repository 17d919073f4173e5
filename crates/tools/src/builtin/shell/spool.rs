//! Files for the part of an output that is too much for memory.

use std::fs::{DirBuilder, File, Permissions};
use std::io::{Result, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::{Builder, TempDir};

/// Most bytes of one file.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// Most bytes of all files together.
const MAX_FILES: u64 = 1024 * 1024 * 1024;

/// A folder for the files of one session. Clones are the same folder.
///
/// A file has at most 256 MiB and all of them together 1 GiB. The folder is made when it is first needed.
#[derive(Debug, Clone)]
pub(crate) struct Spool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    given: Option<PathBuf>,
    own: Mutex<Option<TempDir>>,
    left: AtomicU64,
    max_file: u64,
}

impl Default for Spool {
    fn default() -> Self {
        Self::bounded(None, MAX_FILE, MAX_FILES)
    }
}

impl Spool {
    /// A folder among the temporary files, which is removed with the last clone.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// The same with other bounds, in a given folder, whose files stay.
    pub(super) fn bounded(given: Option<PathBuf>, max_file: u64, max_files: u64) -> Self {
        let (own, left) = (Mutex::new(None), AtomicU64::new(max_files));
        Self { inner: Arc::new(Inner { given, own, left, max_file }) }
    }

    /// A new file.
    pub(super) fn file(&self) -> Result<SpoolFile> {
        let folder = self.folder()?;
        let (file, path) = Builder::new().prefix("output-").suffix(".txt").tempfile_in(folder)?.keep()?;
        Ok(SpoolFile { spool: self.clone(), file, path, bytes: 0, whole: true })
    }

    /// Where the files are, once there are any.
    pub(crate) fn place(&self) -> Option<PathBuf> {
        let own = self.inner.own.lock().unwrap_or_else(PoisonError::into_inner);
        self.inner.given.clone().or_else(|| own.as_ref().map(|folder| folder.path().to_owned()))
    }

    fn folder(&self) -> Result<PathBuf> {
        if let Some(given) = &self.inner.given {
            DirBuilder::new().recursive(true).mode(0o700).create(given)?;
            return Ok(given.clone());
        }
        let mut own = self.inner.own.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = match own.take() {
            Some(folder) => folder,
            None => {
                let owner_only = Permissions::from_mode(0o700);
                Builder::new().prefix("throughline-").permissions(owner_only).tempdir()?
            }
        };
        Ok(own.insert(folder).path().to_owned())
    }

    /// Takes room for so many bytes, or for as many as there is room.
    fn room(&self, wanted: u64) -> u64 {
        let less = |left: u64| Some(left.saturating_sub(wanted));
        let left =
            self.inner.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).unwrap_or_default();
        left.min(wanted)
    }
}

/// The beginning of an output, in a file.
#[derive(Debug)]
pub(super) struct SpoolFile {
    spool: Spool,
    file: File,
    path: PathBuf,
    bytes: u64,
    whole: bool,
}

impl SpoolFile {
    /// Adds what came next, as far as there is room. Writing goes to the page cache, so it does not wait for a disk.
    pub(super) fn push(&mut self, part: &[u8]) {
        if !self.whole {
            return;
        }
        let wanted = (part.len() as u64).min(self.spool.inner.max_file.saturating_sub(self.bytes));
        let room = self.spool.room(wanted);
        let fitting = usize::try_from(room).ok().and_then(|room| part.get(..room)).unwrap_or_default();
        match self.file.write_all(fitting) {
            Ok(()) => self.bytes += room,
            Err(error) => {
                tracing::warn!(%error, path = %self.path.display(), "output could not be kept");
                self.bytes = self.file.metadata().map_or(self.bytes, |metadata| metadata.len());
                self.whole = false;
            }
        }
        self.whole &= fitting.len() == part.len();
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How much of the beginning is there. `None`: all.
    pub(super) fn only(&self) -> Option<u64> {
        (!self.whole).then_some(self.bytes)
    }
}
