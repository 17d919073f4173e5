//! Tests are in a sibling file, so that a reader of the code sees only code.

use super::Finding;
use super::sources::Sources;

/// Every test module with a body in a file of code.
pub(super) fn find(sources: &Sources<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.rust.iter().filter(|source| source.is_in_src()) {
        let inline = source
            .tokens
            .windows(3)
            .filter(|window| window.iter().zip(["mod", "tests", "{"]).all(|(token, word)| token.is(word)));
        findings.extend(inline.filter_map(|window| window.first()).map(|token| {
            let says = "tests in the file: end it with `#[cfg(test)] mod tests;` and move them to `tests.rs`";
            Finding::at(source.file, token.line, says)
        }));
    }
    findings
}

#[cfg(test)]
mod tests;
