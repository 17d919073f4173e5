//! The files of a plugin's commands, sub-agents and skills: in the default folders and where the manifest says.

use std::path::{Path, PathBuf};

use crate::inside::{real, relative};
use crate::manifest::MANIFEST;

/// Maximum entries of one folder that are looked at.
const MAX_ENTRIES: usize = 500;

/// The file that makes a folder a skill.
const SKILL_FILE: &str = "SKILL.md";

/// A prompt that a plugin has as a slash command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandFile {
    /// Its name, without `/` and without the plugin.
    pub name: String,
    /// The real path of its file.
    pub path: PathBuf,
}

/// What was noticed while looking for parts.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// What cannot be used, with the fix.
    pub(crate) notices: Vec<String>,
}

/// The commands, by name. Of two with the same name the first counts.
pub(crate) fn commands(found: &mut Found, root: &Path, named: &[String]) -> Vec<CommandFile> {
    let mut commands: Vec<CommandFile> = Vec::new();
    for path in files(found, root, "commands", named) {
        let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        match path.file_stem().and_then(|name| name.to_str()).filter(|name| is_word(name)) {
            Some(name) if commands.iter().any(|other| other.name == name) => {
                found
                    .notices
                    .push(format!("{shown}: another file is the command {name} already; rename one"));
            }
            Some(name) => commands.push(CommandFile { name: name.to_owned(), path: path.clone() }),
            None => found
                .notices
                .push(format!("{shown}: a command is named with letters, digits, - and _; rename the file")),
        }
    }
    commands.sort_by(|one, other| one.name.cmp(&other.name));
    commands
}

/// The Markdown files of a default folder, and those that the manifest names: files, or folders with some.
pub(crate) fn files(found: &mut Found, root: &Path, usual: &str, named: &[String]) -> Vec<PathBuf> {
    let is_markdown = |path: &PathBuf| path.extension().is_some_and(|end| end == "md") && path.is_file();
    let mut all = Vec::new();
    for place in places(found, root, usual, named) {
        let of_place = if place.is_dir() { entries(found, root, &place) } else { vec![place] };
        add(&mut all, of_place.into_iter().filter(is_markdown));
    }
    all
}

/// The folders of skills: those in the default folder, and those that the manifest names or that are in a folder which it names.
pub(crate) fn skills(found: &mut Found, root: &Path, named: &[String]) -> Vec<PathBuf> {
    let is_skill = |path: &PathBuf| path.join(SKILL_FILE).symlink_metadata().is_ok();
    let mut all = Vec::new();
    for place in places(found, root, "skills", named) {
        let of_place = if is_skill(&place) { vec![place] } else { entries(found, root, &place) };
        add(&mut all, of_place.into_iter().filter(is_skill));
    }
    all
}

fn add(all: &mut Vec<PathBuf>, more: impl Iterator<Item = PathBuf>) {
    for path in more {
        if !all.contains(&path) {
            all.push(path);
        }
    }
}

/// The real paths of the default folder, if it exists, and of the named places.
fn places(found: &mut Found, root: &Path, usual: &str, named: &[String]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    match real(root, Path::new(usual)) {
        Ok(place) => all.extend(place),
        Err(why) => found.notices.push(why),
    }
    for written in named {
        match relative(written).and_then(|path| real(root, &path)) {
            Ok(Some(place)) => add(&mut all, std::iter::once(place)),
            Ok(None) => found.notices.push(format!("{MANIFEST}, {usual}: there is no {written}")),
            Err(why) => found.notices.push(format!("{MANIFEST}, {usual}: {why}")),
        }
    }
    all
}

/// The real paths in a folder, by name. One that leads out of the plugin is a notice.
fn entries(found: &mut Found, root: &Path, folder: &Path) -> Vec<PathBuf> {
    let listed = match folder.read_dir() {
        Ok(listed) => listed,
        Err(error) => {
            found.notices.push(format!("{} cannot be read: {error}", folder.display()));
            return Vec::new();
        }
    };
    let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    if paths.len() > MAX_ENTRIES {
        let shown = folder.strip_prefix(root).unwrap_or(folder).display().to_string();
        found
            .notices
            .push(format!("{shown} has {} entries; only the first {MAX_ENTRIES} are used", paths.len()));
        paths.truncate(MAX_ENTRIES);
    }
    let mut all = Vec::new();
    for path in paths {
        let inner = path.strip_prefix(root).unwrap_or(&path);
        match real(root, inner) {
            Ok(place) => all.extend(place),
            Err(why) => found.notices.push(why),
        }
    }
    all
}

fn is_word(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !name.is_empty() && name.bytes().all(is_plain)
}
