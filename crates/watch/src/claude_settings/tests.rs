//! The user's settings of one run, and ours.

use serde_json::json;

use super::*;

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn with_own(arguments: &[OsString], own: Value) -> Result<(Value, Vec<OsString>)> {
    let (given, rest) = taken(arguments)?;
    Ok((merged(given.unwrap_or_default(), own)?, rest))
}

fn own() -> Value {
    json!({"hooks": {"Stop": [{"hooks": ["ours"]}]}, "permissions": {"allow": ["read_result"]}})
}

#[test]
fn the_users_settings_stay_with_our_hooks_behind_them() {
    let inline = r#"{"env": {"A": "b"}, "hooks": {"Stop": [{"hooks": ["theirs"]}], "Other": []}}"#;
    let file = tempfile::NamedTempFile::new().unwrap();
    // Some editors begin a file with a mark.
    std::fs::write(file.path(), format!("\u{feff}{inline}")).unwrap();
    let path = file.path().to_str().unwrap();
    let expected = json!({
        "env": {"A": "b"},
        "hooks": {"Stop": [{"hooks": ["theirs"]}, {"hooks": ["ours"]}], "Other": []},
        "permissions": {"allow": ["read_result"]},
    });
    for given in [
        vec!["-p", "--settings", inline, "x"],
        vec!["--settings", "{}", "-p", "--settings", path, "x"],
        vec!["-p", &format!("--settings={path}"), "x"],
    ] {
        assert_eq!(with_own(&words(&given), own()).unwrap(), (expected.clone(), words(&["-p", "x"])));
    }
    let none = words(&["-p", "--", "--settings", "x"]);
    assert_eq!(with_own(&none, own()).unwrap(), (own(), none));
}

#[test]
fn settings_that_claude_could_not_use_are_named() {
    for (given, says) in [
        (&["--settings"][..], "needs a value"),
        (&["--settings", "[]"], "[]"),
        (&["--settings", "/no/such.json"], "/no/such.json"),
        (&["--settings", "{\"hooks\": 1}"], "`hooks` has a wrong type"),
        (&["--settings={\"hooks\":"], "EOF"),
    ] {
        let error = with_own(&words(given), own()).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
}
