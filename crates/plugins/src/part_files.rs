//! The files of a plugin's commands, sub-agents and skills: in the default folders and where the manifest says.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::inside::{real, relative};
use crate::manifest::MANIFEST;

/// Maximum entries of one folder that are looked at.
const MAX_ENTRIES: usize = 500;

/// How deep a command may be in folders.
const COMMAND_FOLDERS: usize = 3;

/// The file that makes a folder a skill.
const SKILL_FILE: &str = "SKILL.md";

/// A prompt that a plugin has as a slash command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandFile {
    /// Its name, without `/` and without the plugin: that of its file, behind those of the folders that it is in, with colons.
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
    for (names, path) in command_files(found, root, named) {
        let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let name = names.join(":");
        if commands.iter().any(|other| other.path == path) {
            continue;
        }
        if !names.iter().all(|name| is_word(name)) {
            found
                .notices
                .push(format!("{shown}: a command is named with letters, digits, - and _; rename the file"));
        } else if commands.iter().any(|other| other.name == name) {
            found.notices.push(format!("{shown}: another file is the command {name} already; rename one"));
        } else {
            commands.push(CommandFile { name, path });
        }
    }
    commands.sort_by(|one, other| one.name.cmp(&other.name));
    commands
}

/// The Markdown files of commands, also those in folders, with the names of the folders and of the file.
fn command_files(found: &mut Found, root: &Path, named: &[String]) -> Vec<(Vec<String>, PathBuf)> {
    let mut all = Vec::new();
    let mut open: VecDeque<(Vec<String>, PathBuf)> = VecDeque::new();
    for place in places(found, root, "commands", named) {
        let inside = if place.is_dir() { entries(found, root, &place) } else { vec![place] };
        open.extend(inside.into_iter().map(|path| (Vec::new(), path)));
    }
    while let Some((mut names, path)) = open.pop_front() {
        names.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
        if is_markdown(&path) {
            all.push((names, path));
        } else if path.is_dir() && names.len() <= COMMAND_FOLDERS {
            open.extend(entries(found, root, &path).into_iter().map(|path| (names.clone(), path)));
        }
    }
    all
}

/// The Markdown files of a default folder, and those that the manifest names: files, or folders with some.
pub(crate) fn files(found: &mut Found, root: &Path, usual: &str, named: &[String]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for place in places(found, root, usual, named) {
        let of_place = if place.is_dir() { entries(found, root, &place) } else { vec![place] };
        add(&mut all, of_place.into_iter().filter(|path| is_markdown(path)));
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

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md") && path.is_file()
}

fn is_word(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !name.is_empty() && name.bytes().all(is_plain)
}
