//! Whose notes and files are meant.

/// Which part of the memory is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of it, of every folder.
    All,
    /// What is about this folder, and what is about none in particular.
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

    /// The folder, when one is meant.
    #[must_use]
    pub fn workspace(&self) -> Option<&str> {
        match self {
            Self::All => None,
            Self::Workspace(workspace) => Some(workspace),
        }
    }
}
