//! Tests on folders that are made for them.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use super::SearchPath;

/// A folder with a program `tool` of this mode.
fn folder(parent: &Path, name: &str, mode: u32) -> PathBuf {
    let folder = parent.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("tool"), "").unwrap();
    fs::set_permissions(folder.join("tool"), Permissions::from_mode(mode)).unwrap();
    folder
}

fn search(folders: &[&Path], writable: &Path) -> SearchPath {
    SearchPath::of(&std::env::join_paths(folders).unwrap(), vec![writable.to_owned()])
}

#[test]
fn a_program_is_the_first_that_can_be_executed_outside_of_what_a_model_writes() {
    let parent = tempfile::tempdir().unwrap();
    let parent = parent.path().canonicalize().unwrap();
    let work = parent.join("work");
    let venv = folder(&work, ".venv/bin", 0o755);
    let plain = folder(&parent, "plain", 0o644);
    let open = folder(&parent, "open", 0o755);
    fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
    let safe = folder(&parent, "safe", 0o755);
    symlink(&venv, parent.join("link")).unwrap();
    let linked = parent.join("linked");
    fs::create_dir(&linked).unwrap();
    symlink(venv.join("tool"), linked.join("tool")).unwrap();
    symlink(&safe, work.join("into")).unwrap();
    let found = |folders: &[&Path]| search(folders, &work).find("tool".as_ref());
    let all = [
        venv.as_path(),
        &parent.join("link"),
        &linked,
        &plain,
        &open,
        Path::new("relative"),
        Path::new("."),
        &work.join("into"),
    ];
    assert_eq!(found(&all), None);
    assert_eq!(found(&[&all[..], &[&safe]].concat()), Some(safe.join("tool")));
    assert_eq!(found(&[&safe, &venv]), Some(safe.join("tool")));
}

#[test]
fn what_is_started_finds_no_other_programs_and_the_user_sees_what_is_left_out() {
    let parent = tempfile::tempdir().unwrap();
    let parent = parent.path().canonicalize().unwrap();
    let work = parent.join("work");
    let (venv, empty) = (folder(&work, "bin", 0o755), work.join("empty"));
    fs::create_dir(&empty).unwrap();
    let safe = folder(&parent, "safe", 0o755);
    let search = search(&[&venv, &empty, &safe], &work);
    assert_eq!(search.joined(), safe.as_os_str());
    assert_eq!(search.left_out_with(["other", "tool"]), [venv]);
    assert!(search.left_out_with(["other"]).is_empty());
}
