//! Which Markdown files need a text.

use super::check;
use crate::tidy::findings_of;

#[test]
fn an_embedded_text_that_is_empty_is_found() {
    let empty = "crates/a/src/files/b.md: the text is empty: write it, or remove the file";
    for text in ["", "\n", " \n\n"] {
        assert_eq!(findings_of(check, "crates/a/src/files/b.md", text), [empty]);
    }
}

#[test]
fn a_text_and_other_files_pass() {
    for (path, text) in [("crates/a/src/b.md", "Text.\n"), ("crates/a/tests/b.md", "\n"), ("docs/b.md", "\n")]
    {
        assert!(findings_of(check, path, text).is_empty(), "{path}");
    }
}
