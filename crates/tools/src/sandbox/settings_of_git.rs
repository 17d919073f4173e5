//! The files of git's settings that others take in by `include.path` and `includeIf.CONDITION.path` (git-config(1), "Includes").

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::regular_file::open_regular;

/// Maximum bytes of a settings file that are read.
const MAX_BYTES: u64 = 1024 * 1024;

/// Sections whose `path` names another file.
const SECTIONS: [&str; 2] = ["include", "includeif"];

/// The files that these files take in, and those that these take in, by any condition: a command can make one true.
pub(super) fn included(files: impl IntoIterator<Item = PathBuf>) -> BTreeSet<PathBuf> {
    let (mut left, mut found) = (Vec::from_iter(files), BTreeSet::new());
    while let Some(file) = left.pop() {
        let paths = read(&file).map(|text| paths(&text)).unwrap_or_default();
        for path in paths.iter().filter_map(|path| place(&file, path)) {
            if found.insert(path.clone()) {
                left.push(path);
            }
        }
    }
    found
}

/// The user's own settings files.
pub(super) fn of_user() -> impl Iterator<Item = PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = folder("HOME");
    let config = folder("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")));
    home.map(|home| home.join(".gitconfig")).into_iter().chain(config.map(|config| config.join("git/config")))
}

/// The text of a settings file. Git reads both ends of lines alike.
fn read(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    open_regular(file).ok()?.0.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}

/// Where a path of a settings file leads. `None`: into the home of another user, or where git is installed.
fn place(file: &Path, path: &str) -> Option<PathBuf> {
    match path.strip_prefix("~/") {
        Some(inside) => std::env::var_os("HOME").map(|home| PathBuf::from(home).join(inside)),
        None if path.starts_with('~') || path.starts_with("%(") => None,
        None => Some(file.parent()?.join(path)),
    }
}

/// The values of `path` in the sections that take files in.
fn paths(text: &str) -> Vec<String> {
    let (mut paths, mut rest, mut takes_in) = (Vec::new(), text, false);
    loop {
        rest = rest.trim_start();
        if let Some(header) = rest.strip_prefix('[') {
            let name = header.split(|sign: char| !sign.is_ascii_alphanumeric()).next().unwrap_or_default();
            takes_in = SECTIONS.contains(&name.to_ascii_lowercase().as_str());
            rest = behind_header(header);
            continue;
        }
        let Some(end) = rest.find(['=', '\n', '#', ';']) else { return paths };
        let (name, behind) = rest.split_at(end);
        let Some(behind) = behind.strip_prefix('=') else {
            rest = behind.split_once('\n').map_or("", |(_, next)| next);
            continue;
        };
        let (value, next) = value(behind);
        if takes_in && name.trim().eq_ignore_ascii_case("path") {
            paths.push(value);
        }
        rest = next;
    }
}

/// What follows the bracket that ends the header of a section. A quoted name may have brackets.
fn behind_header(header: &str) -> &str {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, sign) in header.char_indices() {
        match sign {
            ']' if !is_quoted => return header.get(at + 1..).unwrap_or_default(),
            '"' if !is_escaped => is_quoted = !is_quoted,
            _ => {}
        }
        is_escaped = sign == '\\' && !is_escaped;
    }
    ""
}

/// A value, without quotes and comments, and what follows its line. A line that ends with a backslash has another one.
fn value(text: &str) -> (String, &str) {
    let (mut value, mut is_quoted, mut signs) = (String::new(), false, text.char_indices());
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\n' => return (value.trim().to_owned(), text.get(at..).unwrap_or_default()),
            '#' | ';' if !is_quoted => {
                let next = text.get(at..).and_then(|comment| comment.split_once('\n'));
                return (value.trim().to_owned(), next.map_or("", |(_, next)| next));
            }
            '"' => is_quoted = !is_quoted,
            '\\' => match signs.next() {
                Some((_, '\n')) | None => {}
                Some((_, 't')) => value.push('\t'),
                Some((_, sign)) => value.push(sign),
            },
            _ => value.push(sign),
        }
    }
    (value.trim().to_owned(), "")
}

#[cfg(test)]
mod tests;
