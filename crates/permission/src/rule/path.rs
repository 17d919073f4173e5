//! A pattern of paths.

use std::path::{Component, Path};

use crate::access_path::AccessPath;
use crate::glob::path_fits;

/// A pattern of paths, from the workspace on or from the root on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathPattern {
    /// Without `./` at the start.
    text: String,
    /// Whether it means everything below it too: it has no wildcard.
    below: bool,
}

impl PathPattern {
    /// Reads a pattern. The error says what would be right.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.starts_with('~') {
            return Err("`~` is not known here; write the whole path".to_owned());
        }
        if Path::new(text).components().any(|part| part == Component::ParentDir) {
            return Err("`..` leads out; write a path from the workspace on, or from / on".to_owned());
        }
        let text = if text.ends_with('/') { format!("{text}**") } else { text.to_owned() };
        let parts: Vec<&str> = text.split('/').filter(|part| *part != ".").collect();
        let text = parts.join("/");
        if text.is_empty() {
            return Ok(Self { text: "**".to_owned(), below: false });
        }
        let below = !text.contains(['*', '?']);
        Ok(Self { text, below })
    }

    /// Whether it means this path, so that it may allow it. A file that says what may run has to be meant by name: no
    /// wildcard at the start reaches it.
    pub(crate) fn covers(&self, path: &AccessPath) -> bool {
        let first = |path: &str| path.split('/').next().map(str::to_owned);
        let by_name = || self.below || path.inside.as_deref().and_then(first) == first(&self.text);
        self.fits(path) && (!path.is_protected() || by_name())
    }

    /// Whether all that it means, as far as its names go, is below this folder: what searches the folder finds it.
    pub(crate) fn lies_below(&self, folder: &AccessPath) -> bool {
        let absolute = self.text.starts_with('/');
        let folder = if absolute { Some(folder.absolute.as_str()) } else { folder.inside.as_deref() };
        let Some(folder) = folder else { return false };
        let named = self.text.split('/').take_while(|part| !part.contains(['*', '?']));
        let named: Vec<&str> = named.filter(|part| !part.is_empty()).collect();
        let above: Vec<&str> = folder.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        !named.is_empty() && named.starts_with(&above)
    }

    /// Whether it means this path.
    pub(crate) fn fits(&self, path: &AccessPath) -> bool {
        let path = if self.text.starts_with('/') { Some(&path.absolute) } else { path.inside.as_ref() };
        path.is_some_and(|path| {
            path_fits(&self.text, path)
                || (self.below && path.strip_prefix(&self.text).is_some_and(|rest| rest.starts_with('/')))
        })
    }
}
