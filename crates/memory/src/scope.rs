//! The scope of memory requests.

/// The part of the memory to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of it, of every folder.
    All,
    /// The memos of a project, and the memory files of the folder of it that is worked in. What is of no folder in particular
    /// is part of it.
    Project {
        /// The folder that the project's memos belong to. All subfolders and worktrees of a project have the same.
        root: String,
        /// The folder that is worked in. Memos that belong to it alone are part of the scope too.
        folder: String,
    },
}

impl Scope {
    /// The memos and the memory files of one folder, which is a project of its own.
    #[must_use]
    pub fn folder(folder: impl Into<String>) -> Self {
        let folder = folder.into();
        Self::Project { root: folder.clone(), folder }
    }

    /// Returns true if the scope includes the memos of this folder.
    #[must_use]
    pub fn holds_memos(&self, of: Option<&str>) -> bool {
        match (self, of) {
            (Self::All, _) | (_, None) => true,
            (Self::Project { root, folder }, Some(of)) => root == of || folder == of,
        }
    }

    /// Returns true if the scope includes the memory files of this folder.
    #[must_use]
    pub fn holds_files(&self, of: Option<&str>) -> bool {
        match (self, of) {
            (Self::All, _) | (_, None) => true,
            (Self::Project { folder, .. }, Some(of)) => folder == of,
        }
    }

    /// The folder that new memos belong to, if the scope has one.
    #[must_use]
    pub fn root(&self) -> Option<&str> {
        match self {
            Self::All => None,
            Self::Project { root, .. } => Some(root),
        }
    }

    /// The folder that is worked in, if the scope has one.
    #[must_use]
    pub fn worked_in(&self) -> Option<&str> {
        match self {
            Self::All => None,
            Self::Project { folder, .. } => Some(folder),
        }
    }
}
