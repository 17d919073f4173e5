//! Commands that only read the workspace.

use std::path::{Component, Path};

use super::{base_name, risks};

/// Programs that read files, or print what they are given, and do nothing else unless an option says so.
const PROGRAMS: [&str; 36] = [
    "ls", "cat", "head", "tail", "wc", "grep", "egrep", "fgrep", "rg", "sort", "uniq", "cut", "tr", "nl",
    "tac", "rev", "comm", "column", "diff", "cmp", "stat", "file", "which", "type", "pwd", "echo", "printf",
    "true", "false", "du", "basename", "dirname", "readlink", "find", "tree", "cd",
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

/// Returns true if a command reads files of the workspace and nothing else.
pub(crate) fn only_reads(words: &[String], workspace: &Path) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let is_known = match program.as_str() {
        "git" => rest.first().is_some_and(|command| GIT.contains(&command.as_str())),
        // A program of the workspace may have any name.
        name => base_name(name) == name && PROGRAMS.contains(&name),
    };
    is_known && risks(words).is_empty() && rest.iter().all(|word| !leads_elsewhere(word, workspace))
}

/// Returns true if a word may make the command read something outside of the workspace.
fn leads_elsewhere(word: &str, workspace: &Path) -> bool {
    if word.starts_with('-') {
        let name = word.split('=').next().unwrap_or(word);
        // A group of letters may hold one of the short ones.
        let group = !word.starts_with("--") && word.contains(['R', 'L', 'f']);
        return group
            || OPTIONS.contains(&name)
            || word.split_once('=').is_some_and(|(_, value)| is_outside(value, workspace));
    }
    is_outside(word, workspace)
}

fn is_outside(word: &str, workspace: &Path) -> bool {
    let path = Path::new(word);
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if word.starts_with('~') || climbs {
        return true;
    }
    let whole = workspace.join(path);
    let is_inside = |path: &Path| path.starts_with(workspace);
    // A link of the workspace may lead out of it.
    !is_inside(&whole) || whole.canonicalize().is_ok_and(|real| !is_inside(&real))
}

#[cfg(test)]
mod tests;
