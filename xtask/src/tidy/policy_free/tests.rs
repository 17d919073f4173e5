//! Numbers and prompts in the agent.

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
fn nothing_and_one_are_no_policy() {
    check("crates/agent/src/a.rs", "let a = 0; a += 1; 0..1_usize; b.2; 0u64", &[]);
}

#[test]
fn any_other_number_is_found() {
    let advice = ": a policy sets it, so take it from the settings";
    for number in ["2", "100", "0.8", "4_096", "0x10"] {
        let expect = format!("crates/agent/src/a.rs:1: the number {number}{advice}");
        check("crates/agent/src/a.rs", &format!("let a = 0..{number};"), &[&expect]);
    }
    check("crates/budget/src/a.rs", "let a = 2;", &[]);
    check("crates/agent/src/a.rs", "#[cfg(test)]\nmod tests {\n    let a = 2;\n}\n", &[]);
}

#[test]
fn a_prompt_is_found() {
    check(
        "crates/agent/src/ask.md",
        "Continue.\n",
        &["crates/agent/src/ask.md: a prompt text: it belongs to `policies` or to the adapter that sends it"],
    );
}
