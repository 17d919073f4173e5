//! Tests of what is removed, and what is not.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

use super::remove_tree;

/// Makes folders in folders, of which each has a file.
fn dig(folder: &Path, levels: usize) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let mut at = openat(CWD, folder, flags, Mode::empty()).unwrap();
    for _ in 0..levels {
        mkdirat(&at, "d", Mode::RWXU).unwrap();
        openat(&at, "f", OFlags::CREATE | OFlags::WRONLY, Mode::RWXU).unwrap();
        at = openat(&at, "d", flags, Mode::empty()).unwrap();
    }
}

#[test]
fn a_folder_deeper_than_the_stack_and_than_files_may_be_open() {
    let parent = tempfile::tempdir().unwrap();
    let deep = parent.path().join("deep");
    fs::create_dir(&deep).unwrap();
    dig(&deep, 1_200);
    let small = std::thread::Builder::new().stack_size(128 * 1024);
    let place = deep.clone();
    small.spawn(move || remove_tree(&place).unwrap()).unwrap().join().unwrap();
    assert!(!deep.exists());
}

#[test]
fn links_are_removed_and_their_targets_stay() {
    let parent = tempfile::tempdir().unwrap();
    let at = |name: &str| parent.path().join(name);
    fs::create_dir_all(at("kept/in")).unwrap();
    fs::write(at("kept/in/file"), "x").unwrap();
    fs::create_dir_all(at("gone/a/b")).unwrap();
    symlink(at("kept"), at("gone/a/link")).unwrap();
    symlink(at("kept/in"), at("gone/link")).unwrap();
    fs::create_dir(at("gone/a/closed")).unwrap();
    fs::write(at("gone/a/closed/file"), "x").unwrap();
    fs::set_permissions(at("gone/a/closed"), Permissions::from_mode(0o000)).unwrap();
    remove_tree(&at("gone")).unwrap();
    assert!(!at("gone").exists() && at("kept/in/file").exists());
    symlink(at("kept"), at("link")).unwrap();
    assert!(remove_tree(&at("link")).is_err(), "a link is no folder");
    assert!(at("kept/in/file").exists());
}
