//! Where the data folder is, and what is reported when it cannot be used.

use expect_test::expect;

use super::*;

fn check(named: Option<&str>, xdg: Option<&str>, home: Option<&str>, expected: Option<&str>) {
    let found = choose(named.map(PathBuf::from), xdg.map(OsString::from), home.map(OsString::from));
    assert_eq!(found, expected.map(PathBuf::from));
}

#[test]
fn the_named_folder_comes_before_the_variables() {
    check(Some("here"), Some("/data"), Some("/home/ann"), Some("here"));
    check(None, Some("/data"), Some("/home/ann"), Some("/data/throughline"));
    check(None, None, Some("/home/ann"), Some("/home/ann/.local/share/throughline"));
    check(None, None, None, None);
}

/// The XDG Base Directory Specification: paths must be absolute; a relative one is invalid and ignored.
#[test]
fn relative_and_empty_variables_are_ignored() {
    check(None, Some("data"), Some("/home/ann"), Some("/home/ann/.local/share/throughline"));
    check(None, Some(""), Some("/home/ann"), Some("/home/ann/.local/share/throughline"));
    check(None, Some(""), Some(""), None);
}

#[test]
fn the_folder_is_made_and_named() {
    let root = tempfile::tempdir().unwrap();
    let dir = DataDir::new(Some(root.path().join("a/b"))).unwrap();
    assert!(dir.locks().is_dir() && dir.database().is_file());
    assert_eq!(dir.root(), root.path().join("a/b"));
    assert_eq!(DataDir::new(Some(root.path().join("a/b"))).unwrap(), dir, "a folder that exists is taken");
}

#[test]
fn a_folder_exists_if_it_has_a_database() {
    let root = tempfile::tempdir().unwrap();
    let existing = || DataDir::existing(Some(root.path().to_owned()));
    assert_eq!(existing(), None);
    assert!(!root.path().join("locks").exists(), "nothing is made");
    let dir = DataDir::new(Some(root.path().to_owned())).unwrap();
    assert_eq!(existing(), Some(dir));
}

#[test]
fn a_folder_that_cannot_be_made_is_named_with_the_fix() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = DataDir::new(Some(file.join("data"))).unwrap_err();
    let text = error.to_string().replace(&root.path().display().to_string(), "/tmp/x");
    expect!["the data folder /tmp/x/file/data cannot be used: Not a directory (os error 20); make it writable or name another folder"]
        .assert_eq(&text);
}
