//! Words of the list in every kind of text.

use super::super::sources::Sources;
use super::find;
use crate::tree::TextFile;

#[track_caller]
fn check(path: &str, text: &str, expect: &[&str]) {
    let files = [TextFile { path: path.to_owned(), text: text.to_owned() }];
    let found: Vec<_> = find(&Sources::read(&files)).iter().map(ToString::to_string).collect();
    assert_eq!(found, expect);
}

#[test]
fn comments_strings_and_names_are_read() {
    check("src/a.rs", "// Mended here.\n", &["src/a.rs:1: `mended`: write fix or repair"]);
    check("src/a.rs", "\nlet a = \"x\\nmend\";\n", &["src/a.rs:2: `mend`: write fix or repair"]);
    check(
        "src/a.rs",
        "fn mend_it() {}\nstruct Mender;",
        &["src/a.rs:1: `mend`: write fix or repair", "src/a.rs:2: `mender`: write fix or repair"],
    );
    check("src/a.rs", "let commend = recommended.is_none();", &[]);
    check("src/a.rs", "#[serde(skip_serializing_if = \"Option::is_none\")]", &[]);
}

#[test]
fn a_phrase_may_run_over_lines_of_one_comment() {
    check(
        "src/a.rs",
        "// It is held\n// back.\n",
        &["src/a.rs:2: `held back`: write deferred, withheld or buffered"],
    );
    check("src/a.rs", "// It is held\n\n// back.\n", &[]);
    check(
        "src/a.rs",
        "let held_back = 1;",
        &["src/a.rs:1: `held back`: write deferred, withheld or buffered"],
    );
    check("src/a.rs", "held(back)", &[]);
}

#[test]
fn pages_and_manifests_are_read_and_recorded_data_is_not() {
    check("docs/a.md", "Done\nanew.\n", &["docs/a.md:2: `anew`: write again, or what is repeated"]);
    check(
        "crates/a/Cargo.toml",
        "description = \"anew\"\n",
        &["crates/a/Cargo.toml:1: `anew`: write again, or what is repeated"],
    );
    check("crates/a/tests/a.md", "anew\n", &[]);
    check("crates/a/src/prompt.md", "anew\n", &[]);
    check("crates/a/src/a.json", "anew\n", &[]);
}

#[test]
fn a_limit_is_a_maximum() {
    check(
        "src/a.rs",
        "/// Most bytes of a line.\nconst LINE: usize = 1;",
        &["src/a.rs:1: `most`: write `Maximum …` with the unit"],
    );
    check("src/a.rs", "/// The most bytes.\nconst LINE: usize = 1;\n// Most lines are short.\n", &[]);
    check("docs/a.md", "Most lines are short.\n", &[]);
}

#[test]
fn docs_of_functions_do_not_start_with_whether() {
    let expect = ["src/a.rs:1: `whether`: write `Returns true if …`"];
    check("src/a.rs", "/// Whether it is.\n#[must_use]\npub(crate) const fn a() -> bool { true }", &expect);
    check("src/a.rs", "/// Whether it is.\npub a: bool,\n/// It.\nfn b() {}", &[]);
    check("src/a.rs", "/// Returns\n/// whether.\nfn a() {}", &[]);
}
