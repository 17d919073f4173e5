//! Settings that turn hooks off.

use std::ffi::OsString;

use serde_json::json;

use super::runs_hooks;

#[test]
fn hooks_run_unless_the_first_settings_that_say_it_turn_them_off() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let (off, on) = (json!({"disableAllHooks": true}), json!({"disableAllHooks": false}));
    // Some editors begin a file with a mark.
    let off_file = file("off.json", &format!("\u{feff}{off}"));
    let (on_file, other) = (file("on.json", &on.to_string()), file("other.json", "{}"));
    let missing = folder.path().join("none.json");
    let run = |settings: &serde_json::Value, arguments: &[&str], files: &[&std::path::PathBuf]| {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let files: Vec<_> = files.iter().map(|file| (*file).clone()).collect();
        runs_hooks(settings.as_object(), &arguments, &files)
    };
    assert!(run(&json!({}), &["-p", "--", "--bare"], &[&missing, &other]));
    assert!(!run(&json!({}), &["--bare"], &[]));
    assert!(!run(&off, &[], &[&on_file]));
    assert!(run(&on, &[], &[&off_file]));
    assert!(!run(&json!({}), &[], &[&missing, &other, &off_file]));
    assert!(run(&json!({}), &[], &[&on_file, &off_file]));
}
