//! Printing a line of a report.

use std::fmt::Display;
use std::io::Write as _;

/// Prints the line. A reader that has left, as `| head` does, is no failure of the task.
pub(crate) fn line(text: impl Display) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
