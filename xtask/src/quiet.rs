//! Commands of which only matters whether they succeed.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::steps;

/// How long such a command may take; what fetches something waits for a network.
const LIMIT: Duration = Duration::from_secs(10 * 60);

/// Runs a command and says whether it succeeded. A seam, so that tests fetch and install nothing.
pub(crate) type Run<'a> = &'a mut dyn FnMut(&[&str]) -> bool;

/// Runs a command and says whether it succeeded. What it prints is thrown away; what it complains about goes to
/// `complaints`. One that hangs is ended, and did not succeed.
pub(crate) fn succeeds(words: &[&str], complaints: Stdio) -> bool {
    let Some((program, args)) = words.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(complaints);
    steps::status_within(&mut command, LIMIT)
        .is_ok_and(|status| status.is_some_and(|status| status.success()))
}

#[cfg(test)]
mod tests;
