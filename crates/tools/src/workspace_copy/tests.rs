//! Tests of finding what changed in a workspace.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{MAX_FILES, WorkspaceCopy};
use crate::changed_file::FileContent;
use crate::root_folder::RootFolder;

fn workspace(files: &[(&str, &str)]) -> (TempDir, RootFolder) {
    let folder = TempDir::new().unwrap();
    let top = folder.path().canonicalize().unwrap();
    for (path, content) in files {
        let path = top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let root = RootFolder::open(&top).unwrap();
    (folder, root)
}

/// One line for each change.
fn changes(copy: &mut WorkspaceCopy, root: &RootFolder) -> Vec<String> {
    let text = |content: &FileContent| match content {
        FileContent::Missing => "missing".to_owned(),
        FileContent::Read { bytes, .. } => String::from_utf8_lossy(bytes).into_owned(),
        FileContent::Unread(why) => why.clone(),
    };
    let changed = copy.update(root).unwrap();
    let mut lines: Vec<String> = changed
        .files
        .iter()
        .map(|file| {
            let path = file.path.strip_prefix(root.path()).unwrap().display();
            format!("{path}: {} -> {}", text(&file.before), text(&file.after))
        })
        .collect();
    lines.extend(changed.unreported);
    lines.sort();
    lines
}

#[test]
fn changed_new_and_removed_files_are_found_with_what_they_were() {
    let files = [
        ("a", "one"),
        ("b", "two"),
        ("c/d", "three"),
        (".env", "x"),
        (".gitignore", "out/\n"),
        ("out/x", "1"),
    ];
    let (_folder, root) = workspace(&files);
    let mut copy = WorkspaceCopy::default();
    assert_eq!(changes(&mut copy, &root).len(), 5, "all but the ignored file");
    assert_eq!(changes(&mut copy, &root), Vec::<String>::new());
    let at = |path: &str| root.path().join(path);
    fs::write(at("a"), "ONE").unwrap();
    fs::remove_file(at("b")).unwrap();
    fs::write(at("new"), "4").unwrap();
    fs::write(at(".env"), "y").unwrap();
    fs::write(at("out/x"), "2").unwrap();
    fs::create_dir(at(".git")).unwrap();
    fs::write(at(".git/config"), "x").unwrap();
    fs::write(at("c/d"), "three").unwrap();
    let ignored = format!("{}: it is ignored by .gitignore, and changed", at("out").display());
    let expected = [".env: x -> y", &ignored, "a: one -> ONE", "b: two -> missing", "new: missing -> 4"];
    assert_eq!(changes(&mut copy, &root), expected);
    assert_eq!(changes(&mut copy, &root), Vec::<String>::new());
}

#[test]
fn what_is_not_watched_is_reported() {
    let large = "x".repeat(2 * 1024 * 1024);
    let (_folder, root) = workspace(&[("large", &large)]);
    let mut copy = WorkspaceCopy::default();
    copy.update(&root).unwrap();
    assert_eq!(changes(&mut copy, &root), Vec::<String>::new());
    fs::write(root.path().join("large"), format!("{large}x")).unwrap();
    let found = changes(&mut copy, &root);
    assert!(found.len() == 1 && found[0].ends_with("large: it is larger than 1 MiB"), "{found:?}");
    for number in 0..MAX_FILES {
        fs::write(root.path().join(format!("f{number}")), "").unwrap();
    }
    for _ in 0..2 {
        assert!(copy.update(&root).unwrap_err().contains("more than 5,000 files"));
    }
    assert!(Path::new(root.path()).exists());
}

#[test]
fn changes_of_links_pipes_and_ignored_files_are_said() {
    let (folder, root) = workspace(&[(".gitignore", "ign/\n*.log\n"), ("ign/data", "x"), ("same.log", "x")]);
    let top = folder.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("a", top.join("link")).unwrap();
    let mut copy = WorkspaceCopy::default();
    changes(&mut copy, &root);
    assert!(changes(&mut copy, &root).is_empty());
    fs::remove_file(top.join("link")).unwrap();
    std::os::unix::fs::symlink("b", top.join("link")).unwrap();
    fs::write(top.join("ign/data"), "changed").unwrap();
    fs::write(top.join("new.log"), "x").unwrap();
    let said = changes(&mut copy, &root);
    assert_eq!(said.len(), 3, "{said:?}");
    for (line, end) in said.iter().zip(["ign: it is ignored", "link: it is a link", "new.log: it is ignored"])
    {
        assert!(line.contains(end), "{line}");
    }
    fs::remove_dir_all(top.join("ign")).unwrap();
    assert!(changes(&mut copy, &root)[0].contains("ign: it is ignored"));
}
