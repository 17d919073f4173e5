//! The submodules that a working tree lists.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::environment::environment;
use crate::own_programs::output_alone;

/// The paths of submodules: names and values, without those of other files that this one names.
const PATHS: [&str; 7] =
    ["config", "--file", ".gitmodules", "--no-includes", "-z", "--get-regexp", r"^submodule\..*\.path$"];

/// The folders of the submodules that `.gitmodules` in this folder lists, whether they exist or not. None without that file or
/// without git. Waits for the program.
#[must_use]
pub fn submodule_folders(root: &Path) -> Vec<PathBuf> {
    // Git follows no link here either, and opening a pipe would wait for a writer.
    if !root.join(".gitmodules").symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Vec::new();
    }
    let Some(program) = throughline_programs::find("git") else { return Vec::new() };
    let mut command = Command::new(program);
    command.arg("-C").arg(root).args(PATHS).stdin(Stdio::null()).stderr(Stdio::null());
    command.env_clear().envs(environment(std::env::vars_os()));
    command.env("PATH", throughline_programs::search_path());
    let listed = output_alone(command).map(|output| output.stdout).unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed).into_owned();
    listed.split('\0').filter_map(|entry| Some(root.join(entry.split_once('\n')?.1))).collect()
}

#[cfg(test)]
mod tests;
