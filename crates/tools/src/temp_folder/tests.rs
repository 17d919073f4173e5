//! Which folders are removed, by whom and when.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use super::{PREFIX, TempFolder, lock, remove_abandoned};

#[test]
fn only_folders_without_a_lock_are_removed() {
    let parent = tempfile::tempdir().unwrap();
    let parent = parent.path();
    let user = parent.metadata().unwrap().uid();
    let named = |end: &str| parent.join(format!("{PREFIX}{end}"));
    let live = TempFolder::new_in(parent).unwrap();
    fs::write(live.path().join("output"), "in use").unwrap();
    fs::create_dir_all(named("dead").join("a/b")).unwrap();
    fs::write(named("dead").join("a/b/file"), "").unwrap();
    fs::create_dir(parent.join("precious")).unwrap();
    fs::write(parent.join("precious/file"), "").unwrap();
    symlink(parent.join("precious"), named("link")).unwrap();
    symlink(parent.join("precious"), named("dead").join("inner")).unwrap();
    fs::write(named("file"), "").unwrap();
    fs::create_dir(parent.join("throughline-3f2a")).unwrap();

    remove_abandoned(parent, user + 1);
    assert!(named("dead").exists(), "it belongs to another user");
    remove_abandoned(parent, user);
    assert!(!named("dead").exists());
    assert!(live.path().join("output").exists());
    assert!(parent.join("precious/file").exists() && named("link").is_symlink());
    assert!(named("file").exists() && parent.join("throughline-3f2a").exists());
}

#[test]
fn a_folder_is_private_and_removed_with_its_value() {
    let parent = tempfile::tempdir().unwrap();
    let folder = TempFolder::new_in(parent.path()).unwrap();
    assert_eq!(folder.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    drop(folder);
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
}

#[test]
fn a_command_that_outlives_the_folder_does_not_hold_it() {
    let parent = tempfile::tempdir().unwrap();
    let user = parent.path().metadata().unwrap().uid();
    let path = parent.path().join(format!("{PREFIX}killed"));
    fs::create_dir(&path).unwrap();
    let held = lock(&path).unwrap().unwrap();
    let mut command = Command::new("sleep").arg("600").spawn().unwrap();
    // What a killed process leaves: the lock is released, the folder stays.
    drop(held);
    // A program that another test starts at this moment has the lock until it runs.
    let is_gone = (0..100).any(|_| {
        remove_abandoned(parent.path(), user);
        let is_gone = !path.exists();
        if !is_gone {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        is_gone
    });
    command.kill().unwrap();
    command.wait().unwrap();
    assert!(is_gone);
}

#[test]
fn folders_created_during_cleanups_are_whole() {
    let parent = tempfile::tempdir().unwrap();
    let (parent, user) = (parent.path(), parent.path().metadata().unwrap().uid());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..300).for_each(|_| remove_abandoned(parent, user)));
        }
        for _ in 0..300 {
            let folder = TempFolder::new_in(parent).unwrap();
            fs::write(folder.path().join("file"), "").unwrap();
            assert!(folder.path().join("file").exists());
        }
    });
}
