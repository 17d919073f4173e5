//! Tests of which folders remain.

use std::path::Path;

use super::without;

#[test]
fn protected_folders_and_those_above_them_are_left_out() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path();
    for folder in ["work/src", ".config/throughline", ".config/git", ".local/share"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    std::fs::write(root.join(".bashrc"), "").unwrap();
    std::os::unix::fs::symlink("/", root.join("link")).unwrap();
    let protected = [root.join(".config/throughline"), root.join(".local/share/throughline")];
    let mut left = without(root, &protected);
    left.sort();
    // The data folder does not exist yet: nothing may create another one in its place.
    assert_eq!(left, [".bashrc", ".config/git", "work"].map(|name| root.join(name)));
    assert_eq!(without(&root.join("work"), &protected), [root.join("work")]);
    assert_eq!(without(&root.join(".config/throughline/skills"), &protected), Vec::<&Path>::new());
}
