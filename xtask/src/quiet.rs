//! Commands of which only matters whether they succeed.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{output, steps};

/// Runs a command and says whether it succeeded. A seam, so that tests fetch and install nothing.
pub(crate) type Run<'a> = &'a mut dyn FnMut(&[&str]) -> bool;

/// Runs a command and says whether it succeeded. What it prints is thrown away; what it complains about goes to
/// `complaints`. One that takes longer than the limit is ended with a line that says so, and did not succeed.
pub(crate) fn succeeds(words: &[&str], complaints: Stdio, limit: Duration) -> bool {
    let Some((program, args)) = words.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(complaints);
    match steps::status_within(&mut command, limit) {
        Ok(Some(status)) => status.success(),
        Ok(None) => {
            let seconds = limit.as_secs();
            output::line(format_args!(
                "`{}` was still running after {seconds} s and was ended",
                words.join(" ")
            ));
            false
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests;
