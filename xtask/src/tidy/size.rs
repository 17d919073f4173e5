//! A file that one can read in a sitting: lines are counted without tests.

use super::Finding;
use crate::source;
use crate::tree::TextFile;

/// Above this a file has two jobs.
const LIMIT: usize = 400;

/// Above this it probably has.
const THINK_AGAIN: usize = 300;

/// Counts the lines that are not test code.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if !file.is_rust() {
        return Vec::new();
    }
    let count = source::lines(&file.path, &file.text).iter().filter(|line| !line.test).count();
    if count <= THINK_AGAIN {
        return Vec::new();
    }
    if count <= LIMIT {
        let says = format!("{count} lines without tests, over {THINK_AGAIN}: is there a second job in it?");
        return vec![Finding::whole(file, says).into_warning()];
    }
    vec![Finding::whole(file, format!("{count} lines without tests, the limit is {LIMIT}: split it by job"))]
}

#[cfg(test)]
mod tests;
