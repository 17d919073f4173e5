//! Files for command output that is too large for memory.

use std::fs::{DirBuilder, File};
use std::io::{Result, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::Builder;

use crate::temp_folder::TempFolder;

/// Maximum bytes of one file.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// Maximum bytes of all files together.
const MAX_FILES: u64 = 1024 * 1024 * 1024;

/// The folder with the output files of one session. Clones share the folder.
///
/// A file has at most 256 MiB, all of them together at most 1 GiB. The folder is created on first use.
#[derive(Debug, Clone)]
pub(crate) struct OutputFiles {
    inner: Arc<OutputFolder>,
}

#[derive(Debug)]
struct OutputFolder {
    given: Option<PathBuf>,
    own: Mutex<Option<TempFolder>>,
    left: AtomicU64,
    max_file: u64,
}

impl Default for OutputFiles {
    fn default() -> Self {
        Self::bounded(None, MAX_FILE, MAX_FILES)
    }
}

impl OutputFiles {
    /// A temporary folder, which is removed with the last clone.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// With other limits, in a given folder whose files are not removed.
    pub(crate) fn bounded(given: Option<PathBuf>, max_file: u64, max_files: u64) -> Self {
        let (own, left) = (Mutex::new(None), AtomicU64::new(max_files));
        Self { inner: Arc::new(OutputFolder { given, own, left, max_file }) }
    }

    /// Creates a new file.
    pub(crate) fn create(&self) -> Result<OutputFile> {
        let folder = self.folder()?;
        let (file, path) = Builder::new().prefix("output-").suffix(".txt").tempfile_in(folder)?.keep()?;
        Ok(OutputFile { files: self.clone(), file, path, bytes: 0, whole: true })
    }

    /// The folder, once it exists.
    pub(crate) fn path(&self) -> Option<PathBuf> {
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
            None => TempFolder::new()?,
        };
        Ok(own.insert(folder).path().to_owned())
    }

    /// Reserves up to this many bytes of the common limit and returns how many were free.
    fn reserve(&self, wanted: u64) -> u64 {
        let less = |left: u64| Some(left.saturating_sub(wanted));
        let left =
            self.inner.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).unwrap_or_default();
        left.min(wanted)
    }
}

/// The beginning of an output in a file.
#[derive(Debug)]
pub(crate) struct OutputFile {
    files: OutputFiles,
    file: File,
    path: PathBuf,
    bytes: u64,
    whole: bool,
}

impl OutputFile {
    /// Appends as much as the limits allow. The write goes to the page cache, so it does not wait for a disk.
    pub(crate) fn push(&mut self, part: &[u8]) {
        if !self.whole {
            return;
        }
        let wanted = (part.len() as u64).min(self.files.inner.max_file.saturating_sub(self.bytes));
        let room = self.files.reserve(wanted);
        let fitting = usize::try_from(room).ok().and_then(|room| part.get(..room)).unwrap_or_default();
        match self.file.write_all(fitting) {
            Ok(()) => self.bytes += room,
            Err(error) => {
                tracing::warn!(%error, path = %self.path.display(), "command output could not be stored");
                self.bytes = self.file.metadata().map_or(self.bytes, |metadata| metadata.len());
                self.whole = false;
            }
        }
        self.whole &= fitting.len() == part.len();
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The number of stored bytes if the file does not have the whole output.
    pub(crate) fn truncated_at(&self) -> Option<u64> {
        (!self.whole).then_some(self.bytes)
    }
}
