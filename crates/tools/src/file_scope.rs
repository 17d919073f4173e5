//! What the file tools of one session share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::FileLedger;

/// How far file tools may go, and what the model knows of the files there. Cheap to clone; clones share the ledger.
#[derive(Debug, Clone, Default)]
pub struct FileScope {
    roots: Arc<[PathBuf]>,
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

    /// The folders beside the workspace.
    #[must_use]
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// What the model knows.
    pub(crate) fn ledger(&self) -> &FileLedger {
        &self.ledger
    }

    /// Takes down that the model knows a file with this content, for example because a message showed it.
    pub fn note(&self, path: &Path, content: &[u8]) {
        let real = path.canonicalize();
        self.ledger.note(real.as_deref().unwrap_or(path), content);
    }
}
