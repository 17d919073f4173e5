//! Invisible differences: spaces at the end of a line, tabs in Rust, a file without a last newline.

use super::Finding;
use crate::source;
use crate::tree::TextFile;

/// Checks the whitespace of everything that people write by hand.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if is_recorded(file) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if line.trim_end() != line {
            findings.push(Finding::at(file, index + 1, "whitespace at the end of the line"));
        }
        if file.is_rust() && line.contains('\t') {
            findings.push(Finding::at(file, index + 1, "a tab: indent with spaces, write `\\t` in a string"));
        }
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        findings.push(Finding::whole(file, "no newline at the end of the file"));
    }
    findings
}

/// Test data stays byte for byte as recorded.
fn is_recorded(file: &TextFile) -> bool {
    !file.is_rust() && source::is_test_file(&file.path)
}

#[cfg(test)]
mod tests;
