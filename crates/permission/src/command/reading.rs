//! Commands that only read the workspace.

use std::path::{Component, Path, PathBuf};

use super::{base_name, risks};

/// Programs that read files, or print what they are given, and do nothing else unless an option says so.
const PROGRAMS: [&str; 34] = [
    "ls", "cat", "head", "tail", "wc", "grep", "egrep", "fgrep", "rg", "sort", "uniq", "cut", "tr", "nl",
    "tac", "rev", "comm", "column", "cmp", "stat", "file", "which", "type", "pwd", "echo", "printf", "true",
    "false", "du", "basename", "dirname", "readlink", "find", "tree",
];

/// Commands of git that only read.
const GIT: [&str; 9] =
    ["status", "diff", "log", "show", "blame", "ls-files", "rev-parse", "describe", "shortlog"];

/// Long options that follow links out of the workspace, read what another file names, or write. The short ones are letters of a
/// group.
const OPTIONS: [&str; 9] = [
    "--follow",
    "--dereference",
    "--dereference-recursive",
    "--files0-from",
    "--files-from",
    "--file",
    "--no-index",
    "--output-indicator-new",
    "--textconv",
];

/// Letters of a word that a shell may expand to names of files.
const PATTERN: [char; 4] = ['*', '?', '[', ']'];
/// Maximum number of entries that a pattern is compared with, and of folders that a line may work in.
const MAX_ENTRIES: usize = 2_000;
const MAX_FOLDERS: usize = 8;

/// Returns true if the commands of a line read files of the workspace and nothing else.
pub(crate) fn only_reads(commands: &[Vec<String>], workspace: &Path) -> bool {
    let mut line = ReadingLine { workspace, folders: vec![workspace.to_path_buf()] };
    !commands.is_empty() && commands.iter().all(|words| line.only_reads(words))
}

/// A line of commands in a workspace.
struct ReadingLine<'w> {
    workspace: &'w Path,
    /// Where a command may run: the workspace, and each folder that a `cd` before it names. A `cd` may fail.
    folders: Vec<PathBuf>,
}

impl ReadingLine<'_> {
    fn only_reads(&mut self, words: &[String]) -> bool {
        let Some((program, rest)) = words.split_first() else { return false };
        let is_known = match program.as_str() {
            "cd" => return self.enter(rest),
            // A folder may be a repository whose settings name programs.
            "git" => {
                rest.first().is_some_and(|command| GIT.contains(&command.as_str()))
                    && self.folders.len() == 1
                    && !is_bare_repository(self.workspace)
            }
            "diff" => !self.compares_folders(rest),
            // A program of the workspace may have any name.
            name => base_name(name) == name && PROGRAMS.contains(&name),
        };
        is_known && risks(words).is_empty() && !rest.iter().any(|word| self.leads_elsewhere(word))
    }

    /// Takes a change of the folder. Returns false if it may lead out of the workspace.
    fn enter(&mut self, rest: &[String]) -> bool {
        let [folder] = rest else { return false };
        if folder.starts_with('-') || folder.contains(PATTERN) || self.leads_elsewhere(folder) {
            return false;
        }
        let entered: Vec<PathBuf> = self.folders.iter().map(|before| before.join(folder)).collect();
        self.folders.extend(entered.into_iter().filter_map(|folder| folder.canonicalize().ok()));
        self.folders.sort();
        self.folders.dedup();
        self.folders.len() <= MAX_FOLDERS
    }

    /// Returns true for a `diff` of folders, which follows the links in them.
    fn compares_folders(&self, rest: &[String]) -> bool {
        let is_folder = |word: &String| self.folders.iter().any(|folder| folder.join(word).is_dir());
        !rest.iter().any(|word| word == "--no-dereference")
            && rest.iter().any(|word| !word.starts_with('-') && (word.contains(PATTERN) || is_folder(word)))
    }

    /// Returns true if a word may make the command read something outside of the workspace.
    fn leads_elsewhere(&self, word: &str) -> bool {
        if word.starts_with('-') {
            let (name, value) =
                word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
            // A group of letters may hold one of the short ones, and a long one may be shortened.
            return match name.strip_prefix("--") {
                None => word.contains(['R', 'L', 'f']),
                Some("") => false,
                Some(_) => OPTIONS.iter().any(|option| option.starts_with(name)),
            } || value.is_some_and(|value| self.is_outside(value));
        }
        self.is_outside(word)
    }

    fn is_outside(&self, word: &str) -> bool {
        let path = Path::new(word);
        let climbs = path.components().any(|part| part == Component::ParentDir);
        word.starts_with('~')
            || climbs
            || self.folders.iter().any(|folder| {
                let whole = folder.join(path);
                !whole.starts_with(self.workspace)
                    || is_link_out(&whole, self.workspace)
                    || (word.contains(PATTERN) && matches_link_out(folder, path, self.workspace))
            })
    }
}

/// Returns true if a path leads out of the workspace by a link.
fn is_link_out(path: &Path, workspace: &Path) -> bool {
    path.canonicalize().is_ok_and(|real| !real.starts_with(workspace))
}

/// Returns true if a path with patterns may match one that leads out of the workspace, or matches too many to say.
fn matches_link_out(folder: &Path, path: &Path, workspace: &Path) -> bool {
    let (mut found, mut seen) = (vec![folder.to_path_buf()], 0);
    for part in path.components() {
        let Component::Normal(part) = part else { continue };
        let part = part.to_string_lossy();
        if !part.contains(PATTERN) {
            found.iter_mut().for_each(|path| path.push(&*part));
            continue;
        }
        let mut next = Vec::new();
        for entry in found.iter().filter_map(|path| path.read_dir().ok()).flatten().flatten() {
            seen += 1;
            if seen > MAX_ENTRIES {
                return true;
            }
            if may_match(&part, &entry.file_name().to_string_lossy()) {
                next.push(entry.path());
            }
        }
        found = next;
        if found.iter().any(|path| is_link_out(path, workspace)) {
            return true;
        }
    }
    found.iter().any(|path| is_link_out(path, workspace))
}

/// Returns true unless what stands before and behind the patterns of a name differs.
fn may_match(pattern: &str, name: &str) -> bool {
    let start = pattern.split(PATTERN).next().unwrap_or_default();
    let end = pattern.rsplit(PATTERN).next().unwrap_or_default();
    name.starts_with(start) && name.ends_with(end)
}

/// Returns true if git would take a folder without `.git` for a repository, whose settings then come with the folder.
fn is_bare_repository(workspace: &Path) -> bool {
    let repository = |folder: &&Path| {
        folder.join(".git").exists()
            || ["HEAD", "objects", "refs"].iter().all(|part| folder.join(part).exists())
    };
    workspace.ancestors().find(repository).is_some_and(|folder| !folder.join(".git").exists())
}

#[cfg(test)]
mod tests;
