//! Terminals and shared memory that a command shares with no other program, by mounts.
//!
//! The device files of all terminals of a user belong to the user: a command could write escape sequences to another terminal,
//! or read what is typed there. Objects of shared memory are files that any program of the user may change.

use std::fs;
use std::path::Path;

use rustix::mount::{MountFlags, mount, mount_bind};

/// Where terminals are, and the file that makes new ones.
const TERMINALS: &str = "/dev/pts";
const NEW_TERMINAL: &str = "/dev/ptmx";

/// Shared memory, which has file names here.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";

/// Queues of messages, which have file names here.
const QUEUES: &str = "/dev/mqueue";

/// Every user of the instance may make a terminal in it (<https://docs.kernel.org/filesystems/devpts.html>).
const OPTIONS: &std::ffi::CStr = c"newinstance,ptmxmode=0666,mode=0600";

/// Gives this process terminals of its own. Where that is not possible it has none: `empty` is an empty folder.
pub(super) fn separate_terminals(empty: Option<&Path>) {
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    let is_own = mount("devpts", TERMINALS, "devpts", flags, OPTIONS).is_ok()
        && mount_bind(Path::new(TERMINALS).join("ptmx"), NEW_TERMINAL).is_ok();
    if let (false, Some(empty)) = (is_own, empty) {
        let _ = mount_bind(empty, TERMINALS);
    }
}

/// Hides the queues of messages that have file names: those that a command makes have none there.
pub(super) fn hide_queues(empty: Option<&Path>) {
    if let Some(empty) = empty {
        let _ = mount_bind(empty, QUEUES);
    }
}

/// Puts shared memory into the private temporary folder, so that the commands of a session share it.
pub(super) fn separate_shared_memory(temp: &Path) {
    let own = temp.join(".shm");
    if fs::create_dir(&own).is_ok() || own.is_dir() {
        let _ = mount_bind(&own, SHARED_MEMORY);
    }
}
