//! A folder with files, for the tests of this crate.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary folder with files.
pub(crate) struct Stage(TempDir);

impl Stage {
    /// These files, by path and text.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let stage = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            stage.write(path, text);
        }
        stage
    }

    /// Its real path.
    pub(crate) fn root(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    /// Writes a file, with its folders.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A text without the path of the folder.
    pub(crate) fn shown(&self, text: &str) -> String {
        text.replace(&self.root().display().to_string(), "ROOT")
    }
}
