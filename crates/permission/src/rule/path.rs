//! Path patterns of rules.

use std::path::{Component, Path};

use icu_normalizer::ComposingNormalizerBorrowed;
use throughline_tools::names_what_runs_later;

use crate::access_path::AccessPath;
use crate::glob::path_matches;

/// A path pattern, relative to the workspace or to the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathPattern {
    /// Without `./` at the start.
    text: String,
    /// It has no wildcard, so it matches everything below the path too.
    below: bool,
}

impl PathPattern {
    /// Parses a pattern. The error names the correct form.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.starts_with('~') {
            return Err("`~` is not supported; write the absolute path".to_owned());
        }
        if Path::new(text).components().any(|part| part == Component::ParentDir) {
            return Err("`..` is not supported; write a path relative to the workspace, or an absolute one"
                .to_owned());
        }
        let text = if text.ends_with('/') { format!("{text}**") } else { text.to_owned() };
        let parts: Vec<&str> = text.split('/').filter(|part| *part != ".").collect();
        let text = ComposingNormalizerBorrowed::new_nfc().normalize(&parts.join("/")).into_owned();
        if text.is_empty() {
            return Ok(Self { text: "**".to_owned(), below: false });
        }
        let below = !text.contains(['*', '?']);
        Ok(Self { text, below })
    }

    /// Returns true if it matches this path well enough to allow an access. A protected file must be matched by its name, or by
    /// that of a protected folder that it is in.
    pub(crate) fn covers(&self, path: &AccessPath) -> bool {
        let by_name =
            || path.inside.as_deref().is_some_and(|inside| names_what_runs_later(&self.text, inside));
        self.matches(path) && (!path.is_protected() || by_name())
    }

    /// Returns true if it matches every file of the workspace or of the machine.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.text.trim_start_matches('/'), "" | "*" | "**")
    }

    /// Returns true if its part before the first wildcard is below this folder, so that a search of the folder reaches it.
    pub(crate) fn is_below(&self, folder: &AccessPath) -> bool {
        let absolute = self.text.starts_with('/');
        let folder = if absolute { Some(folder.absolute.as_str()) } else { folder.inside.as_deref() };
        let Some(folder) = folder else { return false };
        let named = self.text.split('/').take_while(|part| !part.contains(['*', '?']));
        let named: Vec<&str> = named.filter(|part| !part.is_empty()).collect();
        let above: Vec<&str> = folder.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        !named.is_empty() && named.starts_with(&above)
    }

    /// Returns true if it matches this path.
    pub(crate) fn matches(&self, path: &AccessPath) -> bool {
        let path = if self.text.starts_with('/') { Some(&path.absolute) } else { path.inside.as_ref() };
        path.is_some_and(|path| {
            path_matches(&self.text, path)
                || (self.below && path.strip_prefix(&self.text).is_some_and(|rest| rest.starts_with('/')))
        })
    }
}
