//! Matchers of hook files.

use super::*;

fn matches(text: &str, names: &[&str]) -> bool {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    Matcher::parse(text).unwrap().matches(&names)
}

#[test]
fn a_matcher_is_everything_names_or_an_expression_for_a_whole_name() {
    assert!(matches("", &["Bash"]) && matches("*", &["Bash"]));
    assert!(matches("Edit|Write", &["Write"]) && !matches("Edit|Write", &["MultiEdit"]));
    assert!(matches("mcp__.*", &["mcp__github__issues"]) && !matches("Bash", &["BashOutput"]));
    assert!(matches("shell", &["Bash", "shell"]), "own names match, too");
    assert!(matches("startup", &[]), "an event without a name");
}

#[test]
fn a_broken_expression_is_named_with_its_fault() {
    let error = Matcher::parse("Edit(").unwrap_err();
    assert!(error.contains("\"Edit(\" is no matcher: unclosed group"), "{error}");
}
