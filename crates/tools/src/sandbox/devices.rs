//! Terminals and shared memory that a command shares with no other program, by mounts.
//!
//! The device files of all terminals of a user belong to the user: a command could write escape sequences to another terminal,
//! or read what is typed there. Objects of shared memory are files that any program of the user may change.

use std::path::Path;

use rustix::io::Result;
use rustix::mount::{MountFlags, mount, mount_bind};

use super::covers::{PrivateFolder, cover};

/// Where terminals are, and the file that makes new ones.
const TERMINALS: &str = "/dev/pts";
const NEW_TERMINAL: &str = "/dev/ptmx";

/// Shared memory, which has file names here.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";

/// Queues of messages, which have file names here.
const QUEUES: &str = "/dev/mqueue";

/// Every user of the instance may make a terminal in it (<https://docs.kernel.org/filesystems/devpts.html>).
const OPTIONS: &std::ffi::CStr = c"newinstance,ptmxmode=0666,mode=0600";

/// Gives this process terminals of its own. Where that is not possible it has none.
///
/// # Errors
/// The terminals of the user can still be used.
pub(super) fn separate_terminals() -> Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    let is_own = mount("devpts", TERMINALS, "devpts", flags, OPTIONS).is_ok()
        && mount_bind(Path::new(TERMINALS).join("ptmx"), NEW_TERMINAL).is_ok();
    if is_own { Ok(()) } else { cover(Path::new(TERMINALS)) }
}

/// Hides the queues of messages that have file names: those that a command makes have none there.
///
/// # Errors
/// Those of other programs can still be used.
pub(super) fn hide_queues() -> Result<()> {
    cover(Path::new(QUEUES))
}

/// Puts shared memory into the private temporary folder, so that the commands of a session share it. Where something else has its
/// name, which a command may have made, that of others is hidden alone.
///
/// # Errors
/// That of other programs can still be used.
pub(super) fn separate_shared_memory(temp: Option<&PrivateFolder>) -> Result<()> {
    let place = Path::new(SHARED_MEMORY);
    let own = temp.and_then(|temp| temp.folder(".shm").ok());
    match own.map(|own| own.mount_over(place)) {
        Some(Ok(())) => Ok(()),
        _ => cover(place),
    }
}
