//! Branches and further working trees.

#[cfg(unix)]
use std::fs::Permissions;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use throughline_documents::{GitError, GitProbe as _};
use throughline_git::GitCli;

use crate::folder::Folder;

fn repository() -> (Folder, String) {
    let folder = Folder::repository();
    folder.write("a.txt", "alpha\n");
    let commit = folder.commit();
    (folder, commit)
}

/// A folder next to the repository that does not exist yet.
fn next_to(folder: &Folder) -> (tempfile::TempDir, PathBuf) {
    let parent = tempfile::TempDir::new_in(folder.path().parent().unwrap()).unwrap();
    let path = parent.path().join("tree");
    (parent, path)
}

// S0-44
#[tokio::test]
async fn a_branch_is_created_once_and_checked_out() {
    let (folder, commit) = repository();
    let git = GitCli::new(folder.path());
    let first = git.switch("task/one").await.unwrap();
    assert_eq!(
        (first.before.as_str(), first.commit.as_str(), first.created),
        ("main", commit.as_str(), true)
    );
    assert_eq!(folder.git(&["branch", "--show-current"]).trim(), "task/one");
    let again = git.switch("main").await.unwrap();
    assert_eq!((again.before.as_str(), again.created), ("task/one", false));
    for name in ["-f", "a..b", "a b", ""] {
        let refused = git.switch(name).await.unwrap_err();
        assert!(
            matches!(&refused, GitError::Refused(why) if why.contains("not a name")),
            "{name}: {refused}"
        );
    }
    // A switch that would lose changes is refused, and changes nothing.
    folder.git(&["switch", "--quiet", "task/one"]);
    folder.write("a.txt", "beta\n");
    folder.commit();
    folder.git(&["switch", "--quiet", "main"]);
    folder.write("a.txt", "gamma\n");
    assert!(matches!(git.switch("task/one").await, Err(GitError::Refused(_))));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), "gamma\n");
}

#[cfg(unix)]
#[tokio::test]
async fn a_repository_that_cannot_be_written_is_named_with_the_reason() {
    let (folder, _) = repository();
    let git_folder = folder.path().join(".git");
    let protect = |mode| std::fs::set_permissions(&git_folder, Permissions::from_mode(mode)).unwrap();
    protect(0o500);
    let refused = match std::fs::write(git_folder.join("probe"), "") {
        Ok(()) => None,
        Err(_) => Some(GitCli::new(folder.path()).switch("task/one").await.unwrap_err()),
    };
    protect(0o700);
    match refused {
        None => println!("skipped: this user may write everywhere"),
        Some(refused) => assert!(
            refused
                .to_string()
                .contains(".git cannot be written, so no branch can be created or checked out"),
            "{refused}"
        ),
    }
}

// S0-44
#[tokio::test]
async fn a_worktree_is_added_used_again_and_removed_when_it_is_clean() {
    let (folder, commit) = repository();
    let git = GitCli::new(folder.path());
    let (_parent, tree) = next_to(&folder);
    let added = git.add_worktree(&tree, "task/two").await.unwrap();
    assert_eq!((added.commit.as_str(), added.created), (commit.as_str(), true));
    assert_eq!(std::fs::read_to_string(tree.join("a.txt")).unwrap(), "alpha\n");
    assert_eq!(folder.git(&["branch", "--show-current"]).trim(), "main", "the other tree is unchanged");
    assert!(!git.add_worktree(&tree, "task/two").await.unwrap().created, "it is used again");
    assert_eq!(GitCli::new(&tree).status().await.unwrap().branch, "task/two");

    std::fs::write(tree.join("new.txt"), "new\n").unwrap();
    assert!(git.remove_worktree(&tree).await.is_err(), "what is not committed is never lost");
    assert!(tree.join("new.txt").exists());
    std::fs::remove_file(tree.join("new.txt")).unwrap();
    git.remove_worktree(&tree).await.unwrap();
    assert!(!tree.exists());
    assert!(!git.delete_branch_at("task/two", "0123").await.unwrap(), "it is elsewhere");
    assert!(git.delete_branch_at("task/two", &commit).await.unwrap());
    assert_eq!(folder.git(&["branch", "--list", "task/two"]), "");
}

// A checkout runs outside of the sandbox: no program that the repository names may start.
#[tokio::test]
async fn a_checkout_starts_no_hook_and_no_filter() {
    let (folder, _) = repository();
    let mark = folder.path().join("started");
    let start = format!("touch '{}'", mark.display());
    folder.write(".git/hooks/post-checkout", &format!("#!/bin/sh\n{start}\n"));
    #[cfg(unix)]
    {
        let hook = folder.path().join(".git/hooks/post-checkout");
        std::fs::set_permissions(hook, Permissions::from_mode(0o755)).unwrap();
    }
    folder.write(".gitattributes", "*.txt filter=own\n");
    folder.commit();
    folder.git(&["config", "filter.own.smudge", &format!("sh -c \"{start}; cat\"")]);
    let git = GitCli::new(folder.path());
    let (_parent, tree) = next_to(&folder);
    git.add_worktree(&tree, "three").await.unwrap();
    git.switch("four").await.unwrap();
    assert!(tree.join("a.txt").exists() && !mark.exists());
}

/// The settings of a repository may name another working tree, such as the home of its user.
#[tokio::test]
async fn files_are_written_into_the_tree_of_the_repository_alone() {
    let (folder, _) = repository();
    folder.git(&["switch", "--quiet", "-c", "other"]);
    folder.write("sub/new.txt", "new\n");
    folder.commit();
    folder.git(&["switch", "--quiet", "main"]);
    let elsewhere = Folder::empty();
    folder.write("sub/.git/x", "no repository\n");
    folder.git(&["config", "core.worktree", elsewhere.path().to_str().unwrap()]);
    let git = GitCli::new(folder.path().join("sub")).with_limit(std::time::Duration::from_secs(60));
    git.switch("other").await.unwrap();
    assert_eq!(git.top().await.unwrap(), folder.path().canonicalize().unwrap());
    assert_eq!(git.status().await.unwrap().modified, [""; 0]);
    assert!(folder.path().join("sub/new.txt").exists() && folder.path().join("a.txt").exists());
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0, "a file is elsewhere");
}

/// A folder that is a repository itself has no working tree, whatever its settings name.
#[tokio::test]
async fn no_file_is_written_for_a_repository_without_a_tree() {
    let (folder, _) = repository();
    folder.git(&["branch", "other"]);
    let elsewhere = Folder::empty();
    folder.git(&["config", "core.worktree", elsewhere.path().to_str().unwrap()]);
    let bare = Folder::empty();
    let place = bare.path().join("planted");
    std::fs::rename(folder.path().join(".git"), &place).unwrap();
    let refused = GitCli::new(&place).switch("other").await.unwrap_err();
    assert!(matches!(refused, GitError::NoRepository(_)), "{refused:?}");
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0, "a file is elsewhere");
}
