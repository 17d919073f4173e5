//! Texts of the crates: a Markdown file that a build embeds has one.

use super::Finding;
use crate::source;
use crate::tree::TextFile;

/// Checks a Markdown file of a crate.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    let is_embedded = file.path.starts_with("crates/") && !source::is_test_file(&file.path);
    if !is_embedded || !file.path.ends_with(".md") || !file.text.trim().is_empty() {
        return Vec::new();
    }
    vec![Finding::whole(file, "the text is empty: write it, or remove the file")]
}

#[cfg(test)]
mod tests;
