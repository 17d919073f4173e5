//! Where rules and skills are searched.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::imports::is_named_as_text;
use crate::linked_worktree::LinkedWorktree;

/// The folders of a session: where it works, the project around it, and the user's own configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFolders {
    workspace: PathBuf,
    root: PathBuf,
    config: Option<PathBuf>,
    home: Option<PathBuf>,
}

impl SessionFolders {
    /// The project is the nearest folder above that has a `.git`, else the workspace itself. Folders above that belong
    /// to somebody else are not asked: anyone may put a `.git` into a shared folder such as `/tmp`.
    ///
    /// Links are followed once, here; what is read later has to stay inside of these folders.
    #[must_use]
    pub fn of(workspace: &Path, config: Option<&Path>) -> Self {
        let workspace = workspace.canonicalize().unwrap_or_else(|_| workspace.to_owned());
        let owner = owner(&workspace);
        let root = workspace
            .ancestors()
            .take_while(|folder| owner.is_some() && self::owner(folder) == owner)
            .find(|folder| folder.join(".git").exists())
            .map_or_else(|| workspace.clone(), Path::to_owned);
        let config = config.and_then(|folder| folder.canonicalize().ok());
        Self { workspace, root, config, home: None }
    }

    /// The same with the user's home folder, which imports call `~`.
    #[must_use]
    pub fn with_home(self, home: Option<&Path>) -> Self {
        Self { home: home.and_then(|folder| folder.canonicalize().ok()), ..self }
    }

    /// The file that an import names, and the folders that it may be in: `inside`, and for a path from `~` on also those of the
    /// user's own instructions.
    pub(crate) fn imported(&self, path: &str, folder: &Path, inside: &Path) -> (PathBuf, Vec<PathBuf>) {
        let mut allowed = vec![inside.to_owned()];
        match (path.strip_prefix("~/"), &self.home) {
            (Some(inner), Some(home)) => {
                // Nothing else in these folders is written to be shown to a model.
                if is_named_as_text(inner) {
                    allowed.extend(self.config.clone());
                    allowed.push(home.join(".claude"));
                }
                (home.join(inner), allowed)
            }
            _ => (folder.join(path), allowed),
        }
    }

    /// The folder that is worked in.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// The project's own folder: the workspace, or one above it.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The project's root in the main working tree of its repository, if the project is a linked worktree; else its root.
    #[must_use]
    pub fn main_root(&self) -> PathBuf {
        let main = LinkedWorktree::of(&self.root).and_then(|linked| linked.main_root());
        main.unwrap_or_else(|| self.root.clone())
    }

    /// The user's configuration, when there is such a folder.
    #[must_use]
    pub fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The user's home folder, where it is known.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The project's folders from its root down to the workspace.
    pub(crate) fn folders(&self) -> Vec<&Path> {
        let mut folders: Vec<&Path> =
            self.workspace.ancestors().take_while(|folder| folder.starts_with(&self.root)).collect();
        folders.reverse();
        folders
    }

    /// How a path is named to model and user: from the workspace on where it is inside, else in full.
    pub(crate) fn shown(&self, real: &Path) -> String {
        let inner = real.strip_prefix(&self.workspace).unwrap_or(real);
        let text = inner.to_string_lossy();
        let text = throughline_text::sanitized(&text).replace(['\n', '\t'], " ");
        if text.is_empty() { ".".to_owned() } else { text }
    }

    /// Returns true if the model's file tools reach it.
    pub(crate) fn is_reachable(&self, real: &Path) -> bool {
        real.starts_with(&self.workspace)
    }
}

/// The user that a folder belongs to.
pub(crate) fn owner(folder: &Path) -> Option<u32> {
    folder.metadata().ok().map(|metadata| metadata.uid())
}
