//! Names of files in messages.

use super::*;

#[test]
fn files_are_named_with_an_at_sign() {
    let text =
        "Compare @src/a.rs with (@src/b.rs), then see @README.md. Write to me@example.org, not @src/a.rs";
    assert_eq!(named_files(text), ["src/a.rs", "src/b.rs", "README.md"]);
}

#[test]
fn a_name_with_spaces_is_in_quotes() {
    assert_eq!(named_files("See @\"src/a b.txt\", (@\"c d\") and @e."), ["src/a b.txt", "c d", "e"]);
    assert_eq!(named_files("An open quote: @\"a b"), ["\"a"]);
}

#[test]
fn names_of_people_and_of_code_are_no_paths() {
    for (word, expected) in
        [("nosuch.txt", true), ("src/x", true), ("alice", false), ("app.route(\"/\")", false)]
    {
        assert_eq!(is_path(word), expected, "{word}");
    }
}
