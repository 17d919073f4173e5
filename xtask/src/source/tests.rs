//! Which lines are test code.

use super::{is_test_file, lines};

/// The test lines of a file, joined by a bar.
#[track_caller]
fn check(text: &str, expect: &str) {
    let tests: Vec<_> =
        lines("src/a.rs", text).into_iter().filter(|line| line.test).map(|line| line.text.trim()).collect();
    assert_eq!(tests.join("|"), expect);
}

#[test]
fn code_without_tests_has_none() {
    check("fn a() {\n}\n", "");
}

#[test]
fn an_inline_module_runs_to_the_end_of_the_file() {
    check(
        "fn a() {}\n#[cfg(test)]\nmod tests {\n    r#\"\n}\n\"#\n}\n",
        "#[cfg(test)]|mod tests {|r#\"|}|\"#|}",
    );
}

#[test]
fn a_module_in_a_sibling_file_is_one_line() {
    check("#[cfg(test)]\nmod tests;\nfn a() {}\n", "#[cfg(test)]|mod tests;");
}

#[test]
fn any_other_item_ends_with_its_bracket() {
    let text = "#[cfg(test)]\n#[allow(x)]\nfn helper() {\n    if a {\n    }\n}\nfn code() {}\n";
    check(text, "#[cfg(test)]|#[allow(x)]|fn helper() {|if a {|}|}");
}

#[test]
fn a_mock_feature_is_not_test_code() {
    check("#[cfg(any(test, feature = \"mock\"))]\nfn a() {}\n", "");
}

#[test]
fn files_are_tests_by_folder_or_name() {
    for path in ["crates/a/tests/it.rs", "a/benches/b.rs", "a/src/tests.rs", "a/src/wire_tests.rs"] {
        assert!(is_test_file(path), "{path}");
    }
    for path in ["crates/a/src/contest.rs", "tests_of_time/a.rs", "src/testing.rs"] {
        assert!(!is_test_file(path), "{path}");
    }
}
