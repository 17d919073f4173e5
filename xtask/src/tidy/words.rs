//! The project stands alone: a path that leads out of it works on no other machine. This file spells the
//! path, so it is not checked.

use super::Finding;
use crate::tree::TextFile;

/// Looked for in lower case, anywhere in a line.
const REFUSED: &[&str] = &["../shared"];

/// The default folders of recordings, which these files must be able to name.
const RECORDINGS: [&str; 2] = ["../shared/traces", "../shared/wire"];

/// Where the default folder may be named.
const MAY_NAME_RECORDINGS: &[&str] = &["crates/cli/tests/", "xtask/src/traces.rs", "docs/"];

/// Not written by people, or this very list.
const SKIPPED: &[&str] = &["Cargo.lock", "xtask/src/tidy/words.rs"];

/// Looks for the words.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if SKIPPED.contains(&file.path.as_str()) {
        return Vec::new();
    }
    let may_name_recordings = MAY_NAME_RECORDINGS.iter().any(|place| file.path.starts_with(place));
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let mut line = line.to_lowercase();
        if may_name_recordings {
            line = RECORDINGS.iter().fold(line, |line, folder| line.replace(folder, ""));
        }
        for word in REFUSED.iter().filter(|word| line.contains(**word)) {
            findings.push(Finding::at(
                file,
                index + 1,
                format!("`{word}` leads out of the project: leave it out"),
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests;
