//! Tests of the search.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::find;

#[test]
fn the_first_folder_with_an_executable_file_of_that_name_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let [data, nested, first, second] = ["data", "nested", "first", "second"].map(|name| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        path
    });
    fs::write(data.join("git"), "not a program").unwrap();
    fs::create_dir(nested.join("git")).unwrap();
    for path in [&first, &second] {
        let file = path.join("git");
        fs::write(&file, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::env::join_paths(["bin".into(), data, nested, first.clone(), second]).unwrap();
    assert_eq!(find("git", Some(&path)), Some(first.join("git")));
    assert_eq!(find("hg", Some(&path)), None);
    assert_eq!(find("git", None), None);
}

#[test]
fn a_folder_relative_to_the_current_one_is_not_searched() {
    let folder = tempfile::tempdir_in(".").unwrap();
    let file = folder.path().join("git");
    fs::write(&file, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let relative = folder.path().file_name().unwrap();
    assert_eq!(find("git", Some(relative)), None);
    assert!(find("git", Some(folder.path().canonicalize().unwrap().as_os_str())).is_some());
}
