//! Keys of files and commands.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use throughline_text::error_chain;

use super::*;

const DIGITS: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

fn id() -> String {
    EncryptionKey::from_text(DIGITS).unwrap().id().to_string()
}

async fn loaded(key: StorageKey) -> Result<String, String> {
    match key.load().await {
        Ok(key) => Ok(key.unwrap().id().to_string()),
        Err(error) => Err(error_chain(&error)),
    }
}

fn file(folder: &Path, text: &str, mode: u32) -> PathBuf {
    let path = folder.join("key");
    let _ = fs::remove_file(&path);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[tokio::test]
async fn a_file_for_its_owner_alone_gives_the_key() {
    let folder = tempfile::tempdir().unwrap();
    for mode in [0o600, 0o400] {
        let path = file(folder.path(), &format!("{DIGITS}\n"), mode);
        assert_eq!(loaded(StorageKey::File(path)).await, Ok(id()));
    }
    for (text, mode, says) in [
        (DIGITS, 0o640, "its mode 640"),
        (DIGITS, 0o604, "chmod 600"),
        ("too short", 0o600, "64 hexadecimal digits"),
        ("", 0o600, "64 hexadecimal digits"),
    ] {
        let path = file(folder.path(), text, mode);
        let error = loaded(StorageKey::File(path.clone())).await.unwrap_err();
        assert!(error.contains(says) && error.contains(path.to_str().unwrap()), "{error}");
        assert!(!error.contains(DIGITS), "{error}");
    }
    let error = loaded(StorageKey::File(folder.path().join("none"))).await.unwrap_err();
    assert!(error.contains("none") && error.contains("encryption.key_file"), "{error}");
    let error = loaded(StorageKey::File(folder.path().to_owned())).await.unwrap_err();
    assert!(error.contains("folder"), "{error}");
    let error = loaded(StorageKey::File("key".into())).await.unwrap_err();
    assert!(error.contains("absolute"), "{error}");
}

#[tokio::test]
async fn a_command_gives_the_key_in_its_first_line() {
    for command in [format!("printf {DIGITS}"), format!("echo {DIGITS}; echo 'url: none'")] {
        assert_eq!(loaded(StorageKey::Command(command)).await, Ok(id()));
    }
    for (command, says) in [
        ("echo 'the box is locked' >&2; exit 3", "exit status: 3: the box is locked"),
        ("true", "64 hexadecimal digits"),
        ("head -c 100000 /dev/zero", "could not be had"),
        ("no-such-program-here", "exit status: 127"),
    ] {
        let error = loaded(StorageKey::Command(command.to_owned())).await.unwrap_err();
        assert!(error.contains(says) && error.contains("encryption.key_command"), "{command}: {error}");
    }
}
