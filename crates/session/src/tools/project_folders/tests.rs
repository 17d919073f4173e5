//! Tests of the folders that a project needs, on repositories of git's own making.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::slice::from_ref;

use tempfile::TempDir;

use super::{ProjectFolders, project_folders as all_folders};

fn git(folder: &Path, args: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-C"])
        .arg(folder)
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn project_folders(workspace: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    all_folders(workspace, home).writable
}

/// A repository `main` with one commit, and its worktree `other`.
fn repository() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let real = folder.path().canonicalize().unwrap();
    let main = real.join("main");
    fs::create_dir_all(main.join("sub/deep")).unwrap();
    git(&main, &["init", "-q"]);
    git(&main, &["commit", "-q", "--allow-empty", "-m", "one"]);
    git(&main, &["worktree", "add", "-q", "../other"]);
    (folder, real)
}

#[test]
fn a_folder_of_a_project_needs_the_whole_of_it() {
    let (_folder, real) = repository();
    let main = real.join("main");
    assert_eq!(project_folders(&main.join("sub/deep"), None), from_ref(&main));
    assert_eq!(project_folders(&main, Some(&main)), from_ref(&main), "who works at home works at home");
    assert!(project_folders(&main.join("sub"), Some(&main.join("sub"))).is_empty(), "not all of a home");
    let alone = TempDir::new().unwrap();
    let real = alone.path().canonicalize().unwrap();
    assert_eq!(project_folders(alone.path(), None), [real]);
}

#[test]
fn a_worktree_needs_what_git_writes_for_it_and_no_more() {
    let (_folder, real) = repository();
    let other = real.join("other");
    fs::create_dir(other.join("sub")).unwrap();
    let git = |name: &str| real.join("main/.git").join(name);
    let needed = [other.clone(), git("objects"), git("refs"), git("logs"), git("worktrees/other")];
    assert_eq!(project_folders(&other, None), needed);
    assert_eq!(project_folders(&other.join("sub"), None), needed);
    // A folder that is a link into another place is not in the repository.
    fs::rename(git("objects"), real.join("objects")).unwrap();
    std::os::unix::fs::symlink(real.join("objects"), git("objects")).unwrap();
    assert!(!project_folders(&other, None).iter().any(|folder| folder.ends_with("objects")));
}

#[test]
fn a_file_that_only_claims_to_be_of_a_worktree_opens_nothing() {
    let (_folder, real) = repository();
    let evil = real.join("evil");
    fs::create_dir(&evil).unwrap();
    let worktree = real.join("main/.git/worktrees/other");
    for target in [&worktree, &real.join("main"), &real.join("main/.git"), &real, &real.join("nowhere")] {
        fs::write(evil.join(".git"), format!("gitdir: {}\n", target.display())).unwrap();
        assert_eq!(project_folders(&evil, None), from_ref(&evil), "{}", target.display());
    }
    fs::write(evil.join(".git"), [0xff; 9000]).unwrap();
    assert_eq!(project_folders(&evil, None), from_ref(&evil));
    // Its own folder names it, and something else as what is shared.
    fs::write(worktree.join("commondir"), real.display().to_string()).unwrap();
    assert_eq!(project_folders(&real.join("other"), None), [real.join("other")]);
}

#[test]
fn a_project_knows_the_git_folders_of_its_worktrees_and_the_repositories_in_it() {
    let (_folder, real) = repository();
    let (main, other) = (real.join("main"), real.join("other"));
    let worktree = main.join(".git/worktrees/other");
    git(&main, &["init", "-q", "nested/one"]);
    fs::create_dir_all(main.join("a/b/c/d/e/dee#p")).unwrap();
    fs::write(main.join("a/b/c/d/e/dee#p/.git"), "gitdir: ../x\n").unwrap();
    fs::write(main.join(".gitmodules"), "[submodule \"s\"]\n\tpath = \"a/b/c/d/e/dee#p\" ; far\n").unwrap();
    fs::create_dir_all(main.join("node_modules/x/.git")).unwrap();
    let ProjectFolders { repositories, mut nested, .. } = all_folders(&main, None);
    nested.sort();
    assert_eq!(nested, [main.join("a/b/c/d/e/dee#p"), main.join("nested/one")]);
    assert_eq!(repositories, from_ref(&worktree));
    assert_eq!(all_folders(&other, None).repositories, [main.join(".git"), worktree]);
    let claims = real.join("claims");
    fs::create_dir(&claims).unwrap();
    fs::write(claims.join(".git"), format!("gitdir: {}\n", main.join(".git").display())).unwrap();
    assert!(all_folders(&claims, None).repositories.is_empty());
}
