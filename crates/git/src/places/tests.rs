//! Tests on folders that are made for them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::{has_repository, program_in};

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

#[test]
fn a_program_is_the_first_in_the_path_that_can_be_executed() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = ["one", "two", "three"].map(|name| folder.path().join(name));
    for (place, mode) in [(&one, 0o644), (&two, 0o755), (&three, 0o755)] {
        fs::create_dir(place).unwrap();
        fs::write(place.join("tool"), "").unwrap();
        fs::set_permissions(place.join("tool"), fs::Permissions::from_mode(mode)).unwrap();
    }
    let path = std::env::join_paths([&one, &two, &three]).unwrap();
    let found = |name: &str| program_in(name.as_ref(), Some(&path));
    assert_eq!(found("tool"), two.join("tool"));
    assert_eq!(found("./tool").as_os_str(), "./tool");
    assert_eq!(found("other").as_os_str(), "other");
    assert_eq!(program_in("tool".as_ref(), None).as_os_str(), "tool");
}
