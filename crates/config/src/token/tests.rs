//! Tokens and their file.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::{AccessToken, TokenUse};

#[test]
fn a_token_is_made_once_and_readable_by_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (first, file) = AccessToken::of_folder(folder.path(), TokenUse::Memory).unwrap();
    let (second, _) = AccessToken::of_folder(folder.path(), TokenUse::Memory).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(first.is(text.trim()) && second.is(first.reveal()));
    assert!(!first.is("") && !first.is(&text) && !first.is(&"0".repeat(64)));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!format!("{first:?}").contains(text.trim()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_without_a_token_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mcp-token"), "password\n").unwrap();
    let error = AccessToken::of_folder(folder.path(), TokenUse::Memory).unwrap_err();
    assert!(error.to_string().contains("mcp-token"), "{error}");
}
