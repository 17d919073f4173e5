//! Hooks on the command line of Codex.

use super::*;

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

#[test]
fn hooks_are_taken_from_every_form_of_the_option() {
    let stop = "hooks.Stop=[{hooks=[{type=\"command\",command=\"a\"}]}]";
    let all = words(&[
        "-c",
        stop,
        "exec",
        &format!("-c{stop}"),
        &format!("--config={stop}"),
        "-c",
        "model=\"hooks.x\"",
        "--config",
        "hooks = { Other = [ 1, 2 ], state = { \"k:0\" = { trusted_hash = \"h\" } } }",
        "--",
        "-c",
        stop,
    ]);
    let (hooks, rest) = CodexUserHooks::take(&all).unwrap();
    assert_eq!(rest, words(&["exec", "-c", "model=\"hooks.x\"", "--", "-c", stop]));
    let item = "{hooks=[{type=\"command\",command=\"a\"}]}";
    assert_eq!(hooks.events["Stop"], [item, item, item]);
    assert_eq!(hooks.events["Other"], ["1", "2"]);
    assert_eq!(hooks.state, ["\"k:0\"={ trusted_hash = \"h\" }"]);
}

#[test]
fn an_override_that_is_no_list_of_hooks_is_named() {
    for (value, says) in [
        ("hooks.Stop=1", "hooks.Stop must be a list"),
        ("hooks=1", "must be a table"),
        ("hooks.Stop=[", "-c hooks.Stop=[ of codex"),
    ] {
        let error = CodexUserHooks::take(&words(&["-c", value])).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
}
