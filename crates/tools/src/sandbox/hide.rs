//! Hides unix sockets, secrets, terminals, shared memory and the shared temporary folders from a command, by a mount namespace of its
//! own.
//!
//! Who listens at a socket acts with its own permissions: through those of tmux, of Docker or of the user's D-Bus a command
//! could start programs outside the sandbox. Landlock limits sockets with a path only since its version 9.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::{Errno, Result};
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::process::{getegid, geteuid};
use rustix::thread::UnshareFlags;

use super::Sandbox;
use super::covers::{PrivateFolder, cover, cover_file};
use super::devices::{hide_queues, separate_shared_memory, separate_terminals};
use super::read_only::protect;

/// Folders in which programs leave files for each other. The first is where temporary files are by default.
const SHARED: [&str; 2] = ["/tmp", "/var/tmp"];

/// Folders of services, which have sockets of later as well.
const SESSIONS: &str = "/run/user";

/// In a user namespace the files of other users have another owner, and `ssh` refuses such settings.
const SSH_SETTINGS: &str = "/etc/ssh/ssh_config.d";

/// Folders that are searched for sockets, besides the list of the kernel, which does not have those of other containers.
const SEARCHED: [&str; 2] = ["/run", "/tmp"];

/// Maximum number of entries that are searched in them, and the maximum depth.
const ENTRIES: usize = 5_000;
const DEPTH: usize = 3;

/// What was hidden.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    /// The private temporary folder is `/tmp`.
    pub(super) private_tmp: bool,
    /// Sockets outside the sandbox can still be reached.
    pub(super) open_sockets: bool,
    /// The files of the project that run later can be written, other terminals and shared memory used, or hidden files read,
    /// because there are no mounts of its own, or one of them failed.
    pub(super) open_files: bool,
    /// Objects that programs share by number are those of all programs.
    pub(super) shared_objects: bool,
    /// The repositories that are protected, which can be writable therefore.
    pub(super) repositories: Vec<PathBuf>,
}

/// Hides what the system lets this process hide.
pub(super) fn hide(sandbox: &Sandbox) -> Hidden {
    let entered = enter_namespace();
    let (is_entered, shared_objects) = (entered.is_ok(), !entered.unwrap_or(false));
    let mut hidden = Hidden { shared_objects, open_files: !is_entered, ..Hidden::default() };
    if is_entered {
        let temp = sandbox.temp.as_deref().and_then(|temp| PrivateFolder::open(temp).ok());
        let devices = [separate_terminals(), hide_queues(), separate_shared_memory(temp.as_ref())];
        let protected = protect(sandbox);
        let is_hidden = hide_places(sandbox);
        hidden.private_tmp = temp.is_some_and(|temp| replace_shared(sandbox, &temp));
        let is_entered_again = enter_folder_again().is_ok();
        let is_complete = protected.is_complete && is_hidden && is_entered_again;
        hidden.open_files = !is_complete || devices.iter().any(Result::is_err);
        hidden.repositories = protected.repositories;
    }
    if !sandbox.unix_sockets {
        let sockets = reachable_sockets(sandbox, hidden.private_tmp);
        let is_open = |socket: &PathBuf| !is_entered || cover_file(socket).is_err();
        hidden.open_sockets = sockets.iter().filter(|socket| is_open(socket)).count() > 0;
    }
    hidden
}

/// Enters the folder of this process by its path: what was mounted over it, and in it, does not hold for a process that was there
/// before. One that cannot be seen any more is left for the root.
fn enter_folder_again() -> std::io::Result<()> {
    let entered = std::env::current_dir().and_then(std::env::set_current_dir);
    entered.or_else(|_| std::env::set_current_dir("/"))
}

/// Hides the files and folders of the sandbox behind empty ones. Returns false if one of them can still be seen.
fn hide_places(sandbox: &Sandbox) -> bool {
    let needed = |place: &Path| sandbox.writable.iter().any(|folder| folder.starts_with(place));
    let covered = sandbox.hidden.iter().filter(|place| !needed(place)).map(|place| cover(place));
    // Each is tried, whatever becomes of the others.
    let visible = covered.filter(std::result::Result::is_err).count();
    if !sandbox.unix_sockets && !is_needed(sandbox, SESSIONS) {
        // The sockets in it are hidden one by one, too.
        let _ = cover(Path::new(SESSIONS));
    }
    if !geteuid().is_root() {
        let _ = cover(Path::new(SSH_SETTINGS));
    }
    visible == 0
}

/// Gives this process mounts of its own. Without privileges that takes a user namespace, in which the user stays the same.
/// Returns true if it has shared objects of its own as well.
fn enter_namespace() -> Result<bool> {
    let (user, group) = (geteuid(), getegid());
    let own = if user.is_root() { UnshareFlags::NEWNS } else { UnshareFlags::NEWUSER | UnshareFlags::NEWNS };
    let own_objects = unshare(own | UnshareFlags::NEWIPC).is_ok();
    if !own_objects {
        unshare(own)?;
    }
    if !user.is_root() {
        let write =
            |file: &str, text: String| fs::write(format!("/proc/self/{file}"), text).map_err(|_| Errno::PERM);
        write("setgroups", "deny".to_owned())?;
        write("uid_map", format!("{0} {0} 1", user.as_raw()))?;
        write("gid_map", format!("{0} {0} 1", group.as_raw()))?;
    }
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    Ok(own_objects)
}

/// The deprecated function is used because it is the safe one: this process has a single thread and shares no files.
#[expect(deprecated, reason = "the other one is unsafe code")]
fn unshare(flags: UnshareFlags) -> Result<()> {
    rustix::thread::unshare(flags)
}

/// Replaces the shared temporary folders by the private one. Returns true if it is `/tmp` now.
fn replace_shared(sandbox: &Sandbox, temp: &PrivateFolder) -> bool {
    let replaced =
        SHARED.map(|shared| !is_needed(sandbox, shared) && temp.mount_over(Path::new(shared)).is_ok());
    replaced[0]
}

/// Returns true if a folder that the command works in, that is protected, or the home folder is in this one.
fn is_needed(sandbox: &Sandbox, shared: &str) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    sandbox.writable.iter().chain(&sandbox.protected).chain(&home).any(|folder| folder.starts_with(shared))
}

/// The sockets with a path that this process can connect to, outside of the writable folders.
fn reachable_sockets(sandbox: &Sandbox, private_tmp: bool) -> Vec<PathBuf> {
    let listed = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let mut found: BTreeSet<PathBuf> = listed.lines().filter_map(path_of).map(PathBuf::from).collect();
    let mut left = ENTRIES;
    for folder in SEARCHED {
        search(Path::new(folder), DEPTH, &mut left, &mut found);
    }
    let writable = sandbox.writable();
    let own = |socket: &Path| {
        (private_tmp && SHARED.iter().any(|folder| socket.starts_with(folder)))
            || writable.iter().any(|folder| socket.starts_with(folder))
    };
    let is_socket = |socket: &Path| socket.symlink_metadata().is_ok_and(|data| data.file_type().is_socket());
    let reachable =
        |socket: &PathBuf| !own(socket) && is_socket(socket) && access(socket, Access::WRITE_OK).is_ok();
    found.into_iter().filter(reachable).collect()
}

/// The path in a line of `/proc/net/unix`: the eighth field, which may hold spaces. Names that begin with `@` have no file.
fn path_of(line: &str) -> Option<&str> {
    let start = line.find(" /")? + 1;
    line.get(start..)
}

fn search(folder: &Path, depth: usize, left: &mut usize, found: &mut BTreeSet<PathBuf>) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let Some(less) = left.checked_sub(1) else { return };
        *left = less;
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_socket() {
            found.insert(entry.path());
        } else if kind.is_dir() && depth > 1 && entry.file_name() != "udev" {
            search(&entry.path(), depth - 1, left, found);
        }
    }
}
