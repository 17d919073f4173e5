//! What counts as an import.

use proptest::prelude::{ProptestConfig, prop_assert, proptest};

use super::{Scanner, is_meant_as_file};

#[track_caller]
fn check(text: &str, imports: &[&str]) {
    let mut scanner = Scanner::default();
    let found: Vec<&str> = text.split_inclusive('\n').flat_map(|line| scanner.imports(line)).collect();
    assert_eq!(found, imports, "{text:?}");
}

#[test]
fn a_word_of_its_own() {
    check("@docs/style.md", &["docs/style.md"]);
    check("See @README for all, and @package.json (or @a/b.md).\n", &["README", "package.json", "a/b.md"]);
    check("- @one.md, @two.md; **bold** @three.md!", &["one.md", "two.md", "three.md"]);
    check("> @quoted.md\n\t@tab.md\n", &["quoted.md", "tab.md"]);
    check("@../up.md @/etc/passwd @~/x.md", &["../up.md", "/etc/passwd", "~/x.md"]);
    check("ünï @ümlaut.md", &["ümlaut.md"]);
}

#[test]
fn full_width_marks_end_a_path_and_scripts_without_spaces_need_none() {
    check("请看 @docs/规则.md，然后开始。", &["docs/规则.md"]);
    check("（@a/规则.md）和「@b.md」、@c.md。", &["a/规则.md", "b.md", "c.md"]);
    check("请看@docs/規則.md！", &["docs/規則.md"]);
}

#[test]
fn not_inside_of_a_word() {
    check("mail me@example.org or a.@b.md", &[]);
    check(r"\@escaped.md x@y", &[]);
    check("@ @. @, @@twice.md", &["@twice.md"]);
    check("\"@quoted.md\" '@x.md'", &[]);
}

#[test]
fn not_in_code() {
    check("`@code.md` and ``a ` @code.md`` but @real.md", &["real.md"]);
    check("an open ` mark @real.md", &["real.md"]);
    check("```\n@code.md\n```\n@real.md\n", &["real.md"]);
    check("~~~~ text\n@code.md\n~~~\n@code.md\n~~~~\n@real.md\n", &["real.md"]);
    check("- list\n  ```rust\n  @code.md\n  ```\n  @real.md\n", &["real.md"]);
    check("```inline``` @real.md\n@real2.md", &["real.md", "real2.md"]);
    check("```\n@never.md", &[]);
}

#[test]
fn not_in_comments() {
    check("<!-- @old.md --> @new.md\n<!--\n@old.md\n```\n-->\n@new2.md", &["new.md", "new2.md"]);
}

#[test]
fn some_words_can_only_be_files() {
    for file in ["a.md", "docs/A.MD", "./x", "../x", "/etc/passwd", "~/x", "notes.txt"] {
        assert!(is_meant_as_file(file), "{file}");
    }
    for other in ["jane", "jane.doe", "types/node", "Override", "angular/core", "package.json"] {
        assert!(!is_meant_as_file(other), "{other}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_text_is_scanned_to_its_end(text in r"[@`~<>!\-a. é\n()]{0,200}") {
        let mut scanner = Scanner::default();
        for line in text.split_inclusive('\n') {
            for path in scanner.imports(line) {
                let written = format!("@{path}");
                prop_assert!(line.contains(&written));
                prop_assert!(!path.is_empty() && !path.contains(char::is_whitespace));
            }
        }
    }
}
