//! Tokens and their file.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::{AccessToken, TokenUse, token_files};

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

#[test]
fn a_named_file_is_read_and_from_then_on_no_command_may_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shared");
    assert!(AccessToken::of_file(&file).unwrap_err().to_string().contains("shared"));
    fs::write(&file, "short\n").unwrap();
    let error = AccessToken::of_file(&file).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("openssl"), "{error}");
    assert!(!token_files(folder.path()).any(|one| one == file), "it holds no token");
    fs::write(&file, format!("{}\n", "4f".repeat(32))).unwrap();
    assert!(AccessToken::of_file(&file).unwrap().is(&"4f".repeat(32)));
    assert!(token_files(folder.path()).any(|one| one == file));
}
