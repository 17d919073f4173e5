//! The files of slash commands.

use std::fs;
use std::path::{Path, PathBuf};

/// How deep a command may be in folders.
const DEPTH: usize = 3;

/// Maximum number of files, and of folders that are looked into. What is behind them is no command.
const MAX_FILES: usize = 500;
const MAX_FOLDERS: usize = 200;

/// The Markdown files of a folder and of those in it, by name, with the names of their commands.
#[derive(Debug)]
pub(crate) struct CommandFiles<'a> {
    /// Folders outside of it are not looked into; `None`: there is no such limit.
    root: Option<&'a Path>,
    found: Vec<(String, PathBuf)>,
    folders: usize,
}

impl<'a> CommandFiles<'a> {
    /// The files of a folder: of the project with this root, or of the user, whose links lead anywhere.
    pub(crate) fn of(root: Option<&'a Path>, folder: &Path) -> Vec<(String, PathBuf)> {
        let mut files = Self { root, found: Vec::new(), folders: 0 };
        files.look_into(folder, "", DEPTH);
        files.found
    }

    /// `before` is in front of each name.
    fn look_into(&mut self, folder: &Path, before: &str, depth: usize) {
        let is_inside =
            folder.canonicalize().is_ok_and(|real| self.root.is_none_or(|root| real.starts_with(root)));
        if !is_inside || self.folders == MAX_FOLDERS {
            return;
        }
        self.folders += 1;
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
            let name = format!("{before}{name}");
            if path.is_dir() && depth > 0 {
                self.look_into(&path, &format!("{name}:"), depth - 1);
            } else if path.extension().is_some_and(|end| end == "md") && self.found.len() < MAX_FILES {
                self.found.push((name, path));
            }
        }
    }
}

#[cfg(test)]
mod tests;
