//! What a suite leaves behind.

use std::process::Command;

use super::SuiteTemp;

#[test]
fn what_a_suite_leaves_among_its_temporary_files_is_removed() {
    let temp = SuiteTemp::create("left").unwrap();
    let mut leave = Command::new("sh");
    leave.args([
        "-c",
        "mkdir -p \"$TMPDIR/org.chromium.a\" && touch \"$TMPDIR/org.chromium.a/socket\" && echo $TMPDIR",
    ]);
    temp.pass_to(&mut leave);
    let left = leave.output().unwrap();
    assert!(left.status.success());
    let folder = std::path::PathBuf::from(String::from_utf8(left.stdout).unwrap().trim());
    assert!(folder.join("org.chromium.a/socket").exists());
    drop(temp);
    assert!(!folder.exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let error = SuiteTemp::create_in("/throughline-no-such-folder".as_ref(), "left").unwrap_err();
    assert!(error.starts_with("could not make the folder `/throughline-no-such-folder/tl-left-"), "{error}");
}
