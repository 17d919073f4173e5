//! Stored keys are private files, and the last one stored is found.

use std::fs::{self, FileTimes};
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, SystemTime};

use super::StoredKeys;

fn keys() -> (tempfile::TempDir, StoredKeys) {
    let folder = tempfile::tempdir().unwrap();
    let keys = StoredKeys::in_folder(folder.path().join("keys"));
    (folder, keys)
}

#[test]
fn a_stored_key_is_for_its_owner_alone() {
    let (_folder, keys) = keys();
    let file = keys.store("anthropic", "sk-one").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "sk-one\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(keys.folder()).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(keys.find("anthropic"), Some(file));
}

#[test]
fn a_key_is_replaced_and_deleted() {
    let (_folder, keys) = keys();
    keys.store("openai", "sk-one").unwrap();
    let file = keys.store("openai", "sk-two").unwrap();
    assert_eq!(fs::read_to_string(file).unwrap(), "sk-two\n");
    assert!(keys.remove("openai").unwrap());
    assert!(!keys.remove("openai").unwrap());
    assert_eq!(keys.find("openai"), None);
}

#[test]
fn what_is_no_key_does_not_replace_one() {
    let (_folder, keys) = keys();
    let file = keys.store("openai", "sk-one").unwrap();
    for text in ["", "  \n", "sk one\nsk two", "sk-\u{7}", "schlüssel"] {
        assert!(keys.store("openai", text).is_err(), "{text:?}");
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "sk-one\n");
}

#[test]
fn the_key_that_was_stored_last_is_the_newest() {
    let (_folder, keys) = keys();
    assert_eq!(keys.newest(["anthropic", "openai"]), None);
    let old = keys.store("anthropic", "sk-one").unwrap();
    keys.store("openai", "sk-two").unwrap();
    let before = SystemTime::now() - Duration::from_secs(60);
    fs::File::options()
        .write(true)
        .open(old)
        .unwrap()
        .set_times(FileTimes::new().set_modified(before))
        .unwrap();
    assert_eq!(keys.newest(["anthropic", "openai"]), Some("openai"));
    assert_eq!(keys.newest(["anthropic"]), Some("anthropic"));
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let (_folder, keys) = keys();
    for name in ["../settings", "a/b", "/etc/passwd", "..", "server-[::1]-80"] {
        let file = keys.store(name, "sk").unwrap();
        assert_eq!(file.parent(), Some(keys.folder()), "{name}");
    }
}
