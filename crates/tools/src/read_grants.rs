//! What file tools may read outside of the workspace, because the user allowed it in this session.

use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// Says where a folder is, once it exists.
type FolderPlace = Arc<dyn Fn() -> Option<PathBuf> + Send + Sync>;

/// Files and folders that may be read and not written. Clones share them.
#[derive(Clone, Default)]
pub struct ReadGrants(Arc<RwLock<Granted>>);

#[derive(Default)]
struct Granted {
    /// Absolute paths without links.
    paths: Vec<PathBuf>,
    /// The folders of long command outputs, which need no word of the user.
    outputs: Vec<FolderPlace>,
}

impl ReadGrants {
    /// Allows reading a file, or a folder with everything in it, by its absolute path without links.
    pub fn grant(&self, real: PathBuf) {
        let mut granted = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if !granted.paths.contains(&real) {
            granted.paths.push(real);
        }
    }

    /// Returns true if this file may be read.
    #[must_use]
    pub fn contains(&self, real: &Path) -> bool {
        let granted = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut outputs = granted.outputs.iter().filter_map(|place| place());
        granted.paths.iter().any(|path| real.starts_with(path))
            || outputs.any(|folder| real.starts_with(folder))
    }

    /// What was granted.
    #[cfg(feature = "builtin")]
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).paths.clone()
    }

    /// Adds a folder of long command outputs.
    #[cfg(feature = "builtin")]
    pub(crate) fn add_outputs(&self, place: FolderPlace) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).outputs.push(place);
    }
}

impl Debug for ReadGrants {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let granted = self.0.read().unwrap_or_else(PoisonError::into_inner);
        f.debug_tuple("ReadGrants").field(&granted.paths).finish()
    }
}
