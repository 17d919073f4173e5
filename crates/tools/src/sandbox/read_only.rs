//! Makes the files of a project that run later read-only for a command, by mounts.
//!
//! Landlock has no exceptions below a writable folder. A mount has: and what is mounted can neither be renamed nor removed,
//! so nothing replaces such a file or the folder that leads to it.

use std::fs::FileType;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::io::Result;
use rustix::mount::{MountFlags, mount_bind_recursive, mount_remount};

use super::Sandbox;
use crate::runs_later::{Fixed, fixed, is_fixed_part};

/// Folders of a repository that have repositories of submodules in them, at any depth up to this.
const MODULES: &str = "modules";
const DEPTH: usize = 4;

/// Protects what exists. This process must have mounts of its own.
pub(super) fn protect(sandbox: &Sandbox) {
    // A file or folder that is writable by itself was named by the user.
    let is_named = |place: &Path| sandbox.writable.iter().any(|writable| writable == place);
    for place in &sandbox.fixed {
        if place.exists() && !is_named(place) {
            keep_place(place, sandbox);
            let _ = read_only(place);
        }
    }
    for project in &sandbox.projects {
        for (place, fixed) in entries(project).filter_map(|(path, name)| Some((path, fixed(&name)?))) {
            match fixed {
                Fixed::Whole if is_named(&place) => {}
                Fixed::Whole => {
                    let _ = read_only(&place);
                }
                Fixed::Parts => protect_parts(&place, &is_named),
            }
        }
    }
}

/// Mounts the folders that lead from the outermost writable folder to a place onto themselves: with one of them renamed, another
/// place would have the name. The folders stay writable.
fn keep_place(place: &Path, sandbox: &Sandbox) {
    let is_writable = |folder: &&Path| sandbox.writable.iter().any(|writable| folder.starts_with(writable));
    let mut leading: Vec<&Path> = place.ancestors().skip(1).take_while(is_writable).collect();
    // The outermost one is in a folder that commands do not write.
    leading.pop();
    for folder in leading {
        let _ = mount_bind_recursive(folder, folder);
    }
}

/// Protects some entries of a folder. The folder is mounted too, or it could be renamed with them.
fn protect_parts(folder: &Path, is_named: &dyn Fn(&Path) -> bool) {
    let Some(name) = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()) else { return };
    if !folder.is_dir() || is_named(folder) || mount_bind_recursive(folder, folder).is_err() {
        return;
    }
    let mut folders = vec![folder.to_owned()];
    if name == ".git" {
        repositories(&folder.join(MODULES), DEPTH, &mut folders);
    }
    for folder in folders {
        let parts = entries(&folder).filter(|(path, part)| is_fixed_part(&name, part) && !is_named(path));
        for (part, _) in parts {
            let _ = read_only(&part);
        }
    }
}

/// The repositories of submodules, which may be in folders of their names. One is known by what is protected in it: the rest
/// can be removed.
fn repositories(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (path, _) in entries(folder).filter(|(path, _)| path.is_dir()) {
        if entries(&path).any(|(_, name)| is_fixed_part(".git", &name)) {
            repositories(&path.join(MODULES), depth, found);
            found.push(path);
        } else {
            repositories(&path, depth, found);
        }
    }
}

/// The entries of a folder with their names in lower case, without links: their targets are protected by themselves or not
/// at all.
fn entries(folder: &Path) -> impl Iterator<Item = (PathBuf, String)> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let is_no_link = |kind: FileType| kind.is_file() || kind.is_dir();
    let entries = entries.filter(move |entry| entry.file_type().is_ok_and(is_no_link));
    entries.map(|entry| (entry.path(), entry.file_name().to_string_lossy().to_lowercase()))
}

/// Mounts a file or folder onto itself, read-only.
fn read_only(place: &Path) -> Result<()> {
    mount_bind_recursive(place, place)?;
    // In a user namespace these must stay.
    let now = statvfs(place)?.f_flag;
    let pairs = [
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let same = pairs.iter().filter(|(flag, _)| now.contains(*flag)).map(|(_, flag)| *flag);
    mount_remount(place, same.fold(MountFlags::BIND | MountFlags::RDONLY, MountFlags::union), "")
}
