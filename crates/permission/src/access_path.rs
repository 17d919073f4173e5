//! Paths of calls, in one form.

use std::path::{Component, Path};

/// Where a path of a call leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AccessPath {
    /// From the workspace on, with `/`; `.` is the workspace itself. `None`: it leads out.
    pub(crate) inside: Option<String>,
    /// From the root on.
    pub(crate) absolute: String,
}

impl AccessPath {
    /// The path in its normalised form: `.` and `..` are taken away by their names alone, so a `..` never hides where a
    /// path leads. What links do to it, the caller adds as a second path.
    pub(crate) fn of(workspace: &Path, path: &Path) -> Self {
        let absolute = normalised(&workspace.join(path));
        let root = normalised(workspace);
        let inside = if absolute == root {
            Some(".".to_owned())
        } else if root == "/" {
            absolute.strip_prefix('/').map(str::to_owned)
        } else {
            absolute.strip_prefix(&root).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned)
        };
        Self { inside, absolute }
    }

    /// The file that a change of this path could give others power by: git's own folder, whose hooks run, and the files
    /// that name commands and permissions.
    pub(crate) fn is_protected(&self) -> bool {
        let Some(inside) = &self.inside else { return false };
        let lower = inside.to_lowercase();
        let mut parts = lower.split('/');
        // Case counts for nothing on some file systems.
        parts.clone().any(|part| part == ".git")
            || lower == ".mcp.json"
            || (parts.next() == Some(".throughline")
                && parts.next().is_some_and(|name| name.starts_with("config.")))
    }
}

/// An absolute path without `.` and `..`; a `..` at the root stays there, as the system has it.
fn normalised(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::ParentDir => {
                parts.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    format!("/{}", parts.join("/"))
}
