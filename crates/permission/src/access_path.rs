//! Normalized paths of calls.

use std::path::{Component, Path};

use icu_normalizer::ComposingNormalizerBorrowed;
use throughline_tools::runs_later;

/// A normalized path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AccessPath {
    /// Relative to the workspace, with `/`; `.` is the workspace itself. `None` if the path is outside.
    pub(crate) inside: Option<String>,
    /// Relative to the root.
    pub(crate) absolute: String,
}

impl AccessPath {
    /// Normalizes a path lexically, and its letters to their composed form, in which rules are too: `.` and `..` are removed without following links, so a `..` cannot disguise a path. The
    /// caller adds the path with symbolic links resolved as a second one.
    pub(crate) fn of(workspace: &Path, path: &Path) -> Self {
        let absolute = normalized(&workspace.join(path));
        let root = normalized(workspace);
        let inside = if absolute == root {
            Some(".".to_owned())
        } else if root == "/" {
            absolute.strip_prefix('/').map(str::to_owned)
        } else {
            absolute.strip_prefix(&root).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned)
        };
        Self { inside, absolute }
    }

    /// Returns true if a change of this file could grant permissions, or run commands later; see [`runs_later`].
    pub(crate) fn is_protected(&self) -> bool {
        self.inside.as_deref().is_some_and(runs_later)
    }
}

/// An absolute path without `.` and `..`; `..` at the root is the root.
fn normalized(path: &Path) -> String {
    let composed = ComposingNormalizerBorrowed::new_nfc();
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => {
                parts.push(composed.normalize(&part.to_string_lossy()).into_owned());
            }
            Component::ParentDir => {
                parts.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    format!("/{}", parts.join("/"))
}
