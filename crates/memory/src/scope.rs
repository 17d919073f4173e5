//! The scope of memory requests.

/// The part of the memory to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of it, of every folder.
    All,
    /// Memos and files of this folder, and of no folder in particular.
    Workspace(String),
}

impl Scope {
    /// Returns true if the scope includes this folder.
    #[must_use]
    pub fn holds(&self, workspace: Option<&str>) -> bool {
        match (self, workspace) {
            (Self::All, _) | (_, None) => true,
            (Self::Workspace(mine), Some(workspace)) => mine == workspace,
        }
    }

    /// The folder, if the scope has one.
    #[must_use]
    pub fn workspace(&self) -> Option<&str> {
        match self {
            Self::All => None,
            Self::Workspace(workspace) => Some(workspace),
        }
    }
}
