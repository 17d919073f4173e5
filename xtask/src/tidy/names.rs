//! File names that say nothing are refused: a file is named by its one job.

use super::Finding;
use crate::tree::TextFile;

/// Names under which anything could land, and one that shows in every editor tab as itself.
const REFUSED: &[&str] = &["mod.rs", "util.rs", "utils.rs", "common.rs", "types.rs", "helpers.rs"];

/// Checks the name.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if !REFUSED.contains(&file.name()) {
        return Vec::new();
    }
    vec![Finding::whole(file, "name the file by the one job that it has (a module `a` is `a.rs`)")]
}

#[cfg(test)]
mod tests;
