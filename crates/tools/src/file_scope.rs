//! What the file tools of one session share.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::FileLedger;
use crate::builtin::Spool;

/// How far file tools may go, and what the model knows of the files there. Cheap to clone; clones share the ledger.
#[derive(Debug, Clone, Default)]
pub struct FileScope {
    roots: Arc<[PathBuf]>,
    spool: Option<Spool>,
    ledger: FileLedger,
}

impl FileScope {
    /// The workspace alone, and a model that has read nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with these folders beside the workspace. One that does not exist lets nothing more in.
    #[must_use]
    pub fn with_roots(self, roots: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { roots: roots.into_iter().map(Into::into).collect(), ..self }
    }

    /// The same with the files of long outputs, which may be read and not written: an output that was cut names its file.
    pub(crate) fn reading(self, spool: Spool) -> Self {
        Self { spool: Some(spool), ..self }
    }

    /// The folder of long outputs, once there is one.
    pub(crate) fn outputs(&self) -> Option<PathBuf> {
        self.spool.as_ref()?.place()
    }

    /// The folders beside the workspace.
    #[must_use]
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// What the model knows.
    pub(crate) fn ledger(&self) -> &FileLedger {
        &self.ledger
    }

    /// Takes down that the model knows a file as it was at this time, in an earlier run of the session. Whether it is still
    /// so is told by the time of its last change.
    pub fn note_earlier(&self, path: &Path, seen: SystemTime) {
        let real = path.canonicalize();
        self.ledger.note_earlier(real.as_deref().unwrap_or(path), seen);
    }
}
