//! Walks the files of the workspace, without those that .gitignore excludes.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{Walk, WalkBuilder};

use super::allowed_roots::{AllowedRoots, FilePlace};
use crate::output::ToolOutput;

/// The files that a search covers.
#[derive(Debug)]
pub(super) struct Selection {
    /// A folder or a file, with symbolic links resolved.
    start: FilePlace,
    glob: Option<Glob>,
}

#[derive(Debug)]
struct Glob {
    matcher: GlobMatcher,
    whole_path: bool,
}

impl Selection {
    /// Files under `path` (default: the workspace) whose path matches `glob`.
    ///
    /// # Errors
    /// An error output for the model when the path does not exist or the glob is malformed.
    pub(super) fn new(
        roots: &AllowedRoots,
        path: Option<&str>,
        glob: Option<&str>,
    ) -> Result<Self, ToolOutput> {
        let path = path.unwrap_or(".");
        let (start, metadata) = roots.existing(path)?;
        if !metadata.is_file() && !metadata.is_dir() {
            return Err(ToolOutput::error(format!(
                "{path} is neither a file nor a folder. Name one of these."
            )));
        }
        let glob = glob.map(Glob::new).transpose()?;
        Ok(Self { start, glob })
    }

    /// The files, sorted by path. Unreadable folders are skipped.
    ///
    /// The walk goes by names. A folder that is replaced by a link meanwhile can add paths that do not exist beneath the
    /// root, so each file MUST be opened, or checked, by [`Self::place`].
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        walk(&self.start.real)
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
            .map(ignore::DirEntry::into_path)
            .filter(|path| self.glob.as_ref().is_none_or(|glob| glob.matches(path, &self.start.real)))
    }

    /// A file of the walk, to be opened beneath the root.
    pub(super) fn place(&self, file: &Path) -> FilePlace {
        self.start.at(file)
    }
}

impl Glob {
    /// A glob without `/` matches the file name, one with `/` the path relative to the start, as in .gitignore.
    fn new(text: &str) -> Result<Self, ToolOutput> {
        let matcher = GlobBuilder::new(text.trim_start_matches("./"))
            .literal_separator(true)
            .build()
            .map_err(|error| ToolOutput::error(format!("The glob is malformed: {error}. Example: **/*.rs")))?
            .compile_matcher();
        Ok(Self { matcher, whole_path: text.contains('/') })
    }

    fn matches(&self, path: &Path, start: &Path) -> bool {
        let inner = path.strip_prefix(start).unwrap_or(path);
        match path.file_name() {
            Some(name) if !self.whole_path || inner.as_os_str().is_empty() => self.matcher.is_match(name),
            _ => self.matcher.is_match(inner),
        }
    }
}

/// The line that reports how many files a permission rule hid. Their names are not shown.
pub(super) fn hidden_line(hidden: usize, verb: &str) -> Option<String> {
    let files = if hidden == 1 { "file was" } else { "files were" };
    (hidden > 0).then(|| format!("[{hidden} {files} not {verb}: the user's rules keep them from being read]"))
}

fn walk(start: &Path) -> Walk {
    WalkBuilder::new(start)
        // The same workspace must give the same files everywhere: .gitignore applies without a repository too, and a
        // user's global ignore list does not.
        .require_git(false)
        .git_global(false)
        .sort_by_file_path(Path::cmp)
        .build()
}
