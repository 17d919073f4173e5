//! Tests on folders that are made for them.

use std::fs;

use super::has_repository;

#[test]
fn a_repository_is_known_by_its_git_folder_or_file_here_or_above_and_a_bare_one_by_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    assert!(!has_repository(&below));
    // A link that leads nowhere is for git to report.
    std::os::unix::fs::symlink("/nowhere", folder.path().join("a/.git")).unwrap();
    assert!(has_repository(&below) && !has_repository(folder.path()));
    let bare = folder.path().join("bare.git");
    fs::create_dir_all(bare.join("objects")).unwrap();
    fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    assert!(has_repository(&bare) && has_repository(&bare.join("objects")));
    assert!(has_repository(&folder.path().join("missing")), "git says what is wrong");
}
