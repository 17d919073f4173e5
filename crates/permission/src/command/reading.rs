//! Commands that only read the workspace.

mod programs;
mod repository;

use std::path::{Component, Path, PathBuf};

use super::options::{KnownOptions, Letters};
use super::{base_name, risks};
use programs::{PRINTING, is_word_of_find, options_of, options_of_git};

/// Letters of a word that a shell may expand to names of files.
const PATTERN: [char; 4] = ['*', '?', '[', ']'];
/// Maximum number of entries that a pattern is compared with, and of folders that a line may work in.
const MAX_ENTRIES: usize = 2_000;
const MAX_FOLDERS: usize = 8;

/// Returns true if the commands of a line read files of the workspace and nothing else. `is_trusted`: programs that the settings of
/// its repository name may run.
pub(crate) fn only_reads(commands: &[Vec<String>], workspace: &Path, is_trusted: bool) -> bool {
    let mut line = ReadingLine { workspace, is_trusted, folders: vec![workspace.to_path_buf()] };
    !commands.is_empty() && commands.iter().all(|words| line.only_reads(words))
}

/// Returns true if a program is known to read, whatever names it is given.
pub(super) fn is_reader(program: &str) -> bool {
    PRINTING.contains(&program) || program == "find" || options_of(program).is_some()
}

/// A line of commands in a workspace.
struct ReadingLine<'w> {
    workspace: &'w Path,
    is_trusted: bool,
    /// Where a command may run: the workspace, and each folder that a `cd` before it names. A `cd` may fail.
    folders: Vec<PathBuf>,
}

impl ReadingLine<'_> {
    fn only_reads(&mut self, words: &[String]) -> bool {
        let Some((program, rest)) = words.split_first() else { return false };
        let rest = match program.as_str() {
            "cd" => return self.enter(rest),
            "git" => match rest.split_first() {
                Some((command, rest)) if self.git_only_reads(command, rest) => rest,
                _ => return false,
            },
            name if self.options_only_read(name, rest) => rest,
            _ => return false,
        };
        // What reads files comes last.
        risks(words).is_empty()
            && !rest.iter().any(|word| self.leads_elsewhere(word))
            && is_outside_of_workspaces(program)
            && (program != "git" || self.is_trusted || repository::names_no_program(self.workspace))
    }

    /// Returns true if a program and its options only read. What begins with a dash is an option, wherever it is.
    fn options_only_read(&self, name: &str, rest: &[String]) -> bool {
        let mut options = rest.iter().filter(|word| word.starts_with('-'));
        if PRINTING.contains(&name) {
            return true;
        }
        if name == "find" {
            return options.all(|word| is_word_of_find(word));
        }
        let Some(known) = options_of(name) else { return false };
        options.all(|word| is_harmless(word, &[known]))
            && (name != "diff" || !self.compares_folders(rest, known))
    }

    /// Returns true if a command of git only reads, whatever the settings of its repository are.
    fn git_only_reads(&self, command: &str, rest: &[String]) -> bool {
        let mut options = rest.iter().filter(|word| word.starts_with('-'));
        // A format with this asks for a signature, which another program checks.
        let signed = |word: &String| word.contains("%G");
        self.folders.len() == 1
            && options_of_git(command).is_some_and(|known| options.all(|word| is_harmless(word, known)))
            && !rest.iter().any(signed)
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
    fn compares_folders(&self, rest: &[String], known: KnownOptions) -> bool {
        let is_folder = |word: &String| self.folders.iter().any(|folder| folder.join(word).is_dir());
        // Behind a letter with a value, the option may be this value.
        let flags = |word: &&String| {
            word.strip_prefix('-').is_some_and(|letters| known.read(letters) == Letters::Flags)
        };
        let follows = rest.iter().find(|word| !flags(word)).is_none_or(|word| word != "--no-dereference");
        follows && rest.iter().any(|word| word.contains(PATTERN) || is_folder(word))
    }

    /// Returns true if a word may make the command read something outside of the workspace: as a name, also one that begins with a
    /// dash, or as the value of an option.
    fn leads_elsewhere(&self, word: &str) -> bool {
        let value = word.strip_prefix('-').and_then(|option| Some(option.split_once('=')?.1));
        self.is_outside(word) || value.is_some_and(|value| self.is_outside(value))
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

/// Returns true if a word that begins with a dash is known to be harmless: an option, the end of the options, or a number.
fn is_harmless(word: &str, known: &[KnownOptions]) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    match letters.strip_prefix('-') {
        Some("") => true,
        Some(long) => {
            let name = long.split_once('=').map_or(long, |(name, _)| name);
            known.iter().any(|options| options.has_long(name))
        }
        None => {
            letters.bytes().all(|byte| byte.is_ascii_digit())
                || known.iter().any(|options| options.read(letters) != Letters::Unknown)
        }
    }
}

/// Returns true if no folder of `PATH` that a model can write has a program of this name. A path may be one of the workspace.
fn is_outside_of_workspaces(program: &str) -> bool {
    let started: &[&str] = match program {
        "egrep" | "fgrep" => &[program, "grep"],
        _ => &[program],
    };
    base_name(program) == program && throughline_programs::left_out(started.iter().copied()).is_empty()
}

#[cfg(test)]
mod tests;
