//! Inline and sibling test modules.

use super::super::sources::Sources;
use super::find;
use crate::tree::TextFile;

#[track_caller]
fn check(text: &str, expect: &[usize]) {
    let files = [TextFile { path: "crates/a/src/a.rs".to_owned(), text: text.to_owned() }];
    let found: Vec<_> = find(&Sources::read(&files)).iter().map(|finding| finding.line).collect();
    assert_eq!(found, expect);
}

#[test]
fn a_sibling_file_passes_and_a_body_is_found() {
    check("#[cfg(test)]\nmod tests;\n", &[]);
    check("#[cfg(test)]\nmod tests {\n}\n", &[2]);
    check("// mod tests {\nlet a = \"mod tests {\";\n", &[]);
}
