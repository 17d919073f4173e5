//! The state that the file tools of one session share.

use std::collections::HashMap;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::file_ledger::FileLedger;
use crate::output_files::OutputFiles;
use crate::read_grants::ReadGrants;
use crate::root_folder::RootFolder;
use crate::target::real_path;

/// The folders that file tools may use, and the record of which files the model has read. Clones share the record.
#[derive(Debug, Clone, Default)]
pub struct FileScope {
    roots: Arc<[PathBuf]>,
    read_only: Arc<[PathBuf]>,
    output_files: Option<OutputFiles>,
    grants: ReadGrants,
    ledger: FileLedger,
    real_roots: Arc<Mutex<HashMap<PathBuf, PathBuf>>>,
}

impl FileScope {
    /// The workspace alone, with no file read yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows these folders in addition to the workspace. Missing ones are ignored.
    #[must_use]
    pub fn with_roots(self, roots: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { roots: roots.into_iter().map(Into::into).collect(), ..self }
    }

    /// Never lets file tools write in these folders, also where a root contains them: those of the program that runs the
    /// tools, whose settings say what may run.
    #[must_use]
    pub fn with_read_only(self, folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        let real = |folder: PathBuf| real_path(&folder).unwrap_or(folder);
        Self { read_only: folders.into_iter().map(Into::into).map(real).collect(), ..self }
    }

    /// Allows reading what is granted while the session runs.
    #[must_use]
    pub fn with_grants(self, grants: ReadGrants) -> Self {
        Self { grants, ..self }
    }

    /// What may be read outside of the roots.
    pub(crate) fn grants(&self) -> &ReadGrants {
        &self.grants
    }

    /// Returns true if file tools never write this file.
    pub(crate) fn is_read_only(&self, real: &Path) -> bool {
        self.read_only.iter().any(|folder| real.starts_with(folder))
    }

    /// Allows reading the files of long command outputs: a truncated output names its file.
    pub(crate) fn with_output_files(self, files: OutputFiles) -> Self {
        let place = files.clone();
        self.grants.add_outputs(Arc::new(move || place.path()));
        Self { output_files: Some(files), ..self }
    }

    /// The folder of long command outputs, once it exists.
    pub(crate) fn outputs(&self) -> Option<PathBuf> {
        self.output_files.as_ref()?.path()
    }

    /// The folders in addition to the workspace.
    pub(crate) fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Opens a root. Symbolic links in its path are followed once in a session: a command that replaces a folder by a link
    /// later does not make the link's target a root.
    pub(crate) fn open_root(&self, root: &Path) -> Result<RootFolder> {
        let mut known = self.real_roots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(real) = known.get(root) {
            return RootFolder::open(real);
        }
        let folder = RootFolder::open(&root.canonicalize()?)?;
        known.insert(root.to_owned(), folder.path().to_owned());
        Ok(folder)
    }

    /// The record of read files.
    pub(crate) fn ledger(&self) -> &FileLedger {
        &self.ledger
    }

    /// Records that the model read this file at this time, in an earlier run of the session. A later modification time of
    /// the file means that it has changed since.
    pub fn note_earlier(&self, path: &Path, seen: SystemTime) {
        let real = path.canonicalize();
        self.ledger.note_earlier(real.as_deref().unwrap_or(path), seen);
    }
}
