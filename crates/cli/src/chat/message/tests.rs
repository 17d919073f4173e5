//! Files that a message names.

use super::named_files;

#[test]
fn files_are_named_with_an_at_sign() {
    let text =
        "Compare @src/a.rs with (@src/b.rs), then see @README.md. Write to me@example.org, not @src/a.rs";
    assert_eq!(named_files(text), ["src/a.rs", "src/b.rs", "README.md"]);
}
