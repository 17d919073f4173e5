//! A project, its repository and a user's configuration, in a temporary folder.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::places::SessionFolders;
use crate::rules::{Rules, RulesPolicy};

/// `repo/` has a `.git`, `repo/app/` is worked in, `config/` is the user's.
#[derive(Debug)]
pub(crate) struct Stage(TempDir);

impl Stage {
    /// A stage with these files: path and text.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let stage = Self(tempfile::tempdir().unwrap());
        for folder in ["repo/.git", "repo/app", "config"] {
            std::fs::create_dir_all(stage.path(folder)).unwrap();
        }
        for (path, text) in files {
            stage.put(path, text.as_bytes());
        }
        stage
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    /// The places of someone who works in a folder.
    pub(crate) fn places(&self, workspace: &str) -> SessionFolders {
        SessionFolders::of(&self.path(workspace), Some(&self.path("config")))
    }

    pub(crate) fn rules(&self, workspace: &str) -> Rules {
        Rules::load(&self.places(workspace), &RulesPolicy::default())
    }

    /// What the model reads, with the stage's own folder as `~`.
    pub(crate) fn shown(&self, workspace: &str) -> String {
        self.plain(&texts(&self.rules(workspace)))
    }

    /// The problems reported to the user, one per line.
    pub(crate) fn problems(&self, workspace: &str) -> String {
        self.plain(&self.rules(workspace).problems().join("\n"))
    }

    pub(crate) fn plain(&self, text: &str) -> String {
        text.replace(&self.path("").to_string_lossy().trim_end_matches('/').to_owned(), "~")
    }
}

/// The texts of all files, one below the other.
pub(crate) fn texts(rules: &Rules) -> String {
    rules.files().iter().map(|file| format!("{}\n----\n", file.text)).collect()
}
