//! Which files of a folder are listed.

use std::fs;

use super::recordings_in;

#[test]
fn a_folder_lists_recordings_of_every_name_and_depth_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("project/session-1");
    fs::create_dir_all(&below).unwrap();
    for name in ["one.jsonl", "two.json.gz", "three.traj", "notes.md", "project/session-1/events.jsonl"] {
        fs::write(folder.path().join(name), "{}").unwrap();
    }
    std::os::unix::fs::symlink(folder.path().join("one.jsonl"), folder.path().join("link.jsonl")).unwrap();
    let mut ids: Vec<String> =
        recordings_in(folder.path()).unwrap().into_iter().map(|file| file.id).collect();
    ids.sort();
    assert_eq!(ids, ["one", "session-1", "three", "two"]);
    let named = recordings_in(&folder.path().join("notes.md")).unwrap();
    assert_eq!(named.len(), 1, "a file that is named is taken whatever its name");
    let error = recordings_in(&folder.path().join("none")).unwrap_err();
    assert!(error.to_string().contains("none"), "{error}");
}
