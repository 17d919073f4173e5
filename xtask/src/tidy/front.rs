//! The first thing a reader sees: every Rust file opens with docs, and a `lib.rs` is a table of contents.

use super::Finding;
use crate::tree::TextFile;

/// What may stand at the left margin of a `lib.rs`: docs, attributes, modules, exports, compile-time checks, and
/// the closing brackets of those.
const CONTENTS: &[&str] = &[
    "//",
    "#[",
    "#![",
    "mod ",
    "pub mod ",
    "pub(crate) mod ",
    "pub use ",
    "pub(crate) use ",
    "const _",
    "}",
    ")",
    "]",
];

/// Checks the front of a Rust file.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if !file.is_rust() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    if !file.text.starts_with("//!") {
        findings.push(Finding::at(file, 1, "start the file with `//!` docs that say what it is for"));
    }
    if file.name() == "lib.rs" {
        findings.extend(code_in_lib(file));
    }
    findings
}

/// Items in a `lib.rs`. Indented lines belong to an item whose first line has been judged.
fn code_in_lib(file: &TextFile) -> Vec<Finding> {
    let at_margin = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let is_contents = |line: &str| {
        let inline_module = line.contains("mod ") && line.ends_with('{') && !line.starts_with("//");
        !inline_module && CONTENTS.iter().any(|start| line.starts_with(start))
    };
    let lines = file.text.lines().enumerate();
    lines
        .filter(|(_, line)| at_margin(line) && !is_contents(line))
        .map(|(index, _)| {
            Finding::at(file, index + 1, "lib.rs holds docs, `mod`, `pub use`: move the code to a file")
        })
        .collect()
}

#[cfg(test)]
mod tests;
