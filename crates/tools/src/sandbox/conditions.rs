//! What decides which limits of a sandbox the system enforces, besides the sandbox itself.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::Launcher;

/// The kernel, and when it was started. Without these the conditions are not known.
const KERNEL: [&str; 2] = ["sys/kernel/osrelease", "sys/kernel/random/boot_id"];

/// Settings that allow or refuse namespaces, and the profile that limits this process. A system has some of them.
const SETTINGS: [&str; 5] = [
    "sys/user/max_user_namespaces",
    "sys/user/max_mnt_namespaces",
    "sys/kernel/unprivileged_userns_clone",
    "sys/kernel/apparmor_restrict_unprivileged_userns",
    "self/attr/current",
];

/// The namespaces of this process: those of a container differ from those of its host.
const NAMESPACES: [&str; 2] = ["self/ns/mnt", "self/ns/user"];

/// The lines about the user, the capabilities and the filters of system calls in `self/status`.
const STATUS: [&str; 4] = ["Uid:", "Cap", "NoNewPrivs:", "Seccomp"];

/// The conditions as a text, from the folder `/proc` and the launcher. `None`: they are not known.
pub(super) fn conditions(proc: &Path, launcher: &Launcher) -> Option<String> {
    let read = |name: &str| fs::read_to_string(proc.join(name)).ok();
    let mut text = String::new();
    for name in KERNEL {
        // A text takes what is written.
        let _ = writeln!(text, "{name}={}", read(name)?.trim_end());
    }
    let program = fs::metadata(launcher.program()).ok()?;
    let (changed, nanoseconds) = (program.mtime(), program.mtime_nsec());
    let _ = writeln!(
        text,
        "launcher={}:{} {} {changed}.{nanoseconds}",
        program.dev(),
        program.ino(),
        program.size()
    );
    for name in SETTINGS {
        let _ = writeln!(text, "{name}={:?}", read(name));
    }
    for name in NAMESPACES {
        let _ = writeln!(text, "{name}={:?}", fs::read_link(proc.join(name)).ok());
    }
    let status = read("self/status")?;
    let deciding = status.lines().filter(|line| STATUS.iter().any(|name| line.starts_with(name)));
    deciding.for_each(|line| text.extend([line, "\n"]));
    Some(text)
}

#[cfg(test)]
mod tests;
