//! Commands of which only matters whether they succeed.

use std::process::{Command, Stdio};

/// Runs a command and says whether it succeeded. A seam, so that tests fetch and install nothing.
pub(crate) type Run<'a> = &'a mut dyn FnMut(&[&str]) -> bool;

/// Runs a command and says whether it succeeded. What it prints is thrown away; what it complains about goes to
/// `complaints`.
pub(crate) fn succeeds(words: &[&str], complaints: Stdio) -> bool {
    let Some((program, args)) = words.split_first() else { return false };
    Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(complaints)
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests;
