//! The binary under test.

use std::path::Path;
use std::process::Command;

/// A command line of the binary on a data folder. Nothing of the user's own folders is used, and `last` means the newest
/// session, whatever folder the test runs in.
pub(crate) fn throughline(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path))).env("HOME", data);
    command.arg("--data-dir").arg(data).arg("--any-folder");
    command
}
