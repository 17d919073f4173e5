//! Which files are commands.

use std::os::unix::fs::symlink;

use super::*;

fn write(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "Do it.").unwrap();
}

#[test]
fn folders_of_the_project_are_looked_into_and_no_others() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path().canonicalize().unwrap();
    let (root, outside) = (place.join("project"), place.join("outside"));
    let commands = root.join(".claude/commands");
    write(&commands.join("go.md"));
    write(&commands.join("db/copy.md"));
    write(&root.join("shared/test.md"));
    write(&outside.join("secret.md"));
    symlink(&outside, commands.join("all")).unwrap();
    symlink(root.join("shared"), commands.join("linked")).unwrap();
    let names: Vec<String> =
        CommandFiles::of(Some(&root), &commands).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["db:copy", "go", "linked:test"]);
}

#[test]
fn a_link_to_the_project_itself_ends() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let commands = root.join(".claude/commands");
    for number in 0..MAX_FOLDERS * 2 {
        write(&root.join(format!("folder-{number}/a/b.md")));
    }
    write(&commands.join("go.md"));
    symlink(&root, commands.join("all")).unwrap();
    let files = CommandFiles::of(Some(&root), &commands);
    assert!(files.len() <= MAX_FILES && files.iter().any(|(name, _)| name == "go"), "{}", files.len());
}
