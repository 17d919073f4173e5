//! Going through the files of the workspace as git would: without those that .gitignore names.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{Walk, WalkBuilder};

use super::confine::Grounds;
use crate::ToolOutput;

/// Which files are wanted.
#[derive(Debug)]
pub(super) struct Selection {
    /// A folder or a file, with links followed.
    start: PathBuf,
    glob: Option<Glob>,
}

#[derive(Debug)]
struct Glob {
    matcher: GlobMatcher,
    whole_path: bool,
}

impl Selection {
    /// Files under `path` (the workspace without one) whose path fits `glob`.
    ///
    /// # Errors
    /// An error output for the model when the path is not there or the glob is malformed.
    pub(super) fn new(grounds: &Grounds, path: Option<&str>, glob: Option<&str>) -> Result<Self, ToolOutput> {
        let path = path.unwrap_or(".");
        let start = grounds.existing(path)?;
        if !start.is_file() && !start.is_dir() {
            return Err(ToolOutput::error(format!(
                "{path} is neither a file nor a folder. Name one of these."
            )));
        }
        let glob = glob.map(Glob::new).transpose()?;
        Ok(Self { start, glob })
    }

    /// The files, sorted by path. What cannot be read is left out.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        walk(&self.start)
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
            .map(ignore::DirEntry::into_path)
            .filter(|path| self.glob.as_ref().is_none_or(|glob| glob.fits(path, &self.start)))
    }
}

impl Glob {
    /// A glob without `/` means the file's name, one with `/` the path from the start on: as in .gitignore.
    fn new(text: &str) -> Result<Self, ToolOutput> {
        let matcher = GlobBuilder::new(text.trim_start_matches("./"))
            .literal_separator(true)
            .build()
            .map_err(|error| ToolOutput::error(format!("The glob is malformed: {error}. Example: **/*.rs")))?
            .compile_matcher();
        Ok(Self { matcher, whole_path: text.contains('/') })
    }

    fn fits(&self, path: &Path, start: &Path) -> bool {
        let inner = path.strip_prefix(start).unwrap_or(path);
        match path.file_name() {
            Some(name) if !self.whole_path || inner.as_os_str().is_empty() => self.matcher.is_match(name),
            _ => self.matcher.is_match(inner),
        }
    }
}

/// What the model reads of files that were hidden from it. Their names are not told.
pub(super) fn hidden_line(hidden: usize, verb: &str) -> Option<String> {
    let files = if hidden == 1 { "file was" } else { "files were" };
    (hidden > 0).then(|| format!("[{hidden} {files} not {verb}: the user's rules keep them from being read]"))
}

fn walk(start: &Path) -> Walk {
    WalkBuilder::new(start)
        // .gitignore counts also where no repository is, and a user's own global list does not: the same
        // workspace gives the same files everywhere.
        .require_git(false)
        .git_global(false)
        .sort_by_file_path(Path::cmp)
        .build()
}
