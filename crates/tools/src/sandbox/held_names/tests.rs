//! Tests of the names that are held.

use std::fs;

use super::HeldNames;

#[test]
fn the_last_of_several_commands_removes_what_the_first_has_created() {
    let folder = tempfile::tempdir().unwrap();
    let folders = [folder.path().to_owned()];
    let at = |name: &str| folder.path().join(name);
    let first = HeldNames::of(&folders);
    let second = HeldNames::of(&folders);
    assert_eq!(fs::read_to_string(at("commondir")).unwrap(), ".\n");
    drop(first);
    assert!(at("commondir").exists() && at("config.worktree").exists(), "the second command still runs");
    drop(second);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_of_the_repository_stays_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("commondir");
    fs::write(&own, "../..\n").unwrap();
    drop(HeldNames::of(&[folder.path().to_owned(), folder.path().join("missing")]));
    assert_eq!(fs::read_to_string(&own).unwrap(), "../..\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_a_killed_supervisor_has_left_is_removed_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join("commondir");
    fs::write(&left, ".\n").unwrap();
    drop(HeldNames::of(&[folder.path().to_owned()]));
    assert!(!left.exists());
}
