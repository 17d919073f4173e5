//! Makes the files of a project that run later read-only for a command, by mounts.
//!
//! Landlock has no exceptions below a writable folder. A mount has: and what is mounted can neither be renamed nor removed,
//! so nothing replaces such a file. The folders that lead to it are mounted too, each onto itself: with one of them renamed,
//! another file would have the name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::io::Result;
use rustix::mount::{MountFlags, mount_bind_recursive, mount_remount};

use super::Sandbox;
use super::repositories::{entries, repositories};
use super::settings_of_git::{included, of_user};
use crate::runs_later::{Fixed, GIT, fixed, is_fixed_part};

/// The settings files of a git folder.
const SETTINGS: [&str; 2] = ["config", "config.worktree"];

/// What was protected.
pub(super) struct Protected {
    /// The repositories whose settings and hooks all exist and are protected.
    pub(super) repositories: Vec<PathBuf>,
    /// All that exists is.
    pub(super) is_complete: bool,
}

/// Protects what exists. This process must have mounts of its own.
pub(super) fn protect(sandbox: &Sandbox) -> Protected {
    let mut protection = Protection { sandbox, kept: BTreeSet::new(), fixed: BTreeSet::new() };
    sandbox.projects.iter().for_each(|project| protection.add_project(project));
    let repositories = repositories(sandbox);
    repositories.iter().for_each(|folder| protection.add_parts(folder, ".git"));
    protection.add_settings_of_git(&repositories);
    protection.fixed.extend(sandbox.fixed.iter().filter(|place| place.exists()).cloned());
    let Mounted { fixed, is_complete } = protection.mount();
    let is_fixed = |folder: &PathBuf| GIT.iter().all(|name| fixed.contains(&folder.join(name)));
    let repositories = sandbox.repositories.iter().filter(|folder| is_fixed(folder)).cloned().collect();
    Protected { repositories, is_complete }
}

/// What was mounted.
struct Mounted {
    /// Files and folders that are read-only now.
    fixed: BTreeSet<PathBuf>,
    is_complete: bool,
}

/// What is to be mounted. A folder sorts before what is in it.
struct Protection<'a> {
    sandbox: &'a Sandbox,
    /// Folders that stay where they are, and writable.
    kept: BTreeSet<PathBuf>,
    /// Files and folders that stay unchanged.
    fixed: BTreeSet<PathBuf>,
}

impl Protection<'_> {
    /// Adds the entries at the top of a project.
    fn add_project(&mut self, project: &Path) {
        for (place, name) in entries(project) {
            match fixed(&name) {
                None => {}
                // In a worktree, and in a submodule, git's file says where its folder is.
                Some(Fixed::Parts) if place.is_dir() && name == ".git" => {}
                Some(Fixed::Parts) if place.is_dir() && self.is_named(&place) => {}
                Some(Fixed::Parts) if place.is_dir() => self.add_parts(&place, &name),
                Some(_) => self.add(place),
            }
        }
    }

    /// Adds some entries of a folder, by the name that decides which.
    fn add_parts(&mut self, folder: &Path, name: &str) {
        self.kept.insert(folder.to_owned());
        for (part, _) in entries(folder).filter(|(_, part)| is_fixed_part(name, part)) {
            self.add(part);
        }
    }

    /// Adds the files that settings of these repositories and of the user take in, and the user's own, wherever their links lead.
    fn add_settings_of_git(&mut self, repositories: &[PathBuf]) {
        let of_repositories = repositories.iter().flat_map(|folder| SETTINGS.map(|name| folder.join(name)));
        let own: Vec<PathBuf> = of_user().collect();
        let taken_in = included(of_repositories.chain(own.clone())).into_iter().chain(own);
        let real = taken_in.filter_map(|file| file.canonicalize().ok());
        real.filter(|file| file.is_file() && self.sandbox.may_write(file)).for_each(|file| self.add(file));
    }

    fn add(&mut self, place: PathBuf) {
        if !self.is_named(&place) {
            self.fixed.insert(place);
        }
    }

    /// A file or folder that is writable by itself was named by the user.
    fn is_named(&self, place: &Path) -> bool {
        self.sandbox.writable.iter().any(|writable| writable == place)
    }

    /// Mounts everything, the outer folders first.
    fn mount(mut self) -> Mounted {
        let is_writable = |folder: &&Path| self.sandbox.may_write(folder);
        for place in self.fixed.iter().chain(&self.kept.clone()) {
            let mut leading: Vec<&Path> = place.ancestors().skip(1).take_while(is_writable).collect();
            // The outermost one is in a folder that commands do not write.
            leading.pop();
            self.kept.extend(leading.into_iter().map(Path::to_owned));
        }
        // Each is tried, whatever becomes of the others. What does not exist any more needs no mount.
        let exists = |place: &&PathBuf| place.symlink_metadata().is_ok();
        let movable = self.kept.iter().filter(|folder| mount_bind_recursive(*folder, *folder).is_err());
        let movable = movable.filter(exists).count();
        let (fixed, open): (BTreeSet<_>, BTreeSet<_>) =
            self.fixed.into_iter().partition(|place| read_only(place).is_ok());
        let is_complete = movable == 0 && !open.iter().any(|place| exists(&place));
        Mounted { fixed, is_complete }
    }
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
