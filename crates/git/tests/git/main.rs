//! The probe against repositories that are made for each test.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod folder;
#[cfg(unix)]
mod programs;
mod trees;

use std::time::{Duration, Instant};

use folder::Folder;
use throughline_documents::{GitError, GitProbe, GitStatus};
use throughline_git::GitCli;

/// The probe, with patience for a busy machine.
fn patient(folder: impl Into<std::path::PathBuf>) -> GitCli {
    GitCli::new(folder).with_limit(Duration::from_secs(60))
}

async fn status(folder: &Folder) -> GitStatus {
    patient(folder.path()).status().await.unwrap()
}

// S0-32
#[tokio::test]
async fn a_tree_with_changes_of_all_kinds() {
    let folder = Folder::repository();
    for name in ["kept", "changed", "gone", "moved"] {
        folder.write(name, &format!("some text of the file {name}\n"));
    }
    folder.write(".gitignore", "*.log\n");
    let commit = folder.commit();
    folder.write("changed", "other\n");
    folder.remove("gone");
    folder.git(&["mv", "moved", "to here"]);
    folder.write("staged", "s\n");
    folder.git(&["add", "staged"]);
    folder.write("new/deep/file", "n\n");
    folder.write("out.log", "ignored\n");
    let status = status(&folder).await;
    assert_eq!((status.branch.as_str(), status.head_commit), ("main", commit));
    assert_eq!(status.modified, ["changed", "gone", "staged", "to here"]);
    assert_eq!(status.untracked, ["new/deep/file"]);
}

// S0-32
#[tokio::test]
async fn the_head_is_the_branch_and_the_commit_without_files() {
    let head = async |folder: &Folder| patient(folder.path()).head().await.unwrap();
    let folder = Folder::repository();
    folder.write("a", "x");
    let unborn = head(&folder).await;
    assert_eq!((unborn.branch.as_str(), unborn.head_commit.as_str()), ("main", ""));
    let commit = folder.commit();
    folder.write("b", "x");
    folder.write("HEAD", "not a revision");
    folder.git(&["checkout", "--quiet", "-b", "feature/a"]);
    folder.git(&["tag", "feature/a"]);
    let expected = GitStatus {
        branch: "feature/a".to_owned(),
        head_commit: commit,
        modified: Vec::new(),
        untracked: Vec::new(),
    };
    assert_eq!(head(&folder).await, expected);
    folder.git(&["checkout", "--quiet", "--detach"]);
    assert_eq!(head(&folder).await, GitStatus { branch: String::new(), ..expected });
    let inside = patient(folder.path().join(".git")).head().await;
    assert!(matches!(inside, Err(GitError::NoRepository(_))), "{inside:?}");
    let outside = patient(Folder::empty().path()).head().await;
    assert!(matches!(outside, Err(GitError::NoRepository(_))), "{outside:?}");
}

#[tokio::test]
async fn names_are_returned_verbatim() {
    let folder = Folder::repository();
    let names = ["-dash", "a \"quoted\" one", "line\nend", "tab\there", "ü 🦀"];
    for name in names {
        folder.write(name, "x");
    }
    assert_eq!(status(&folder).await.untracked, names);
}

#[tokio::test]
async fn a_repository_without_commits() {
    let folder = Folder::repository();
    folder.write("a", "x");
    let status = status(&folder).await;
    assert_eq!((status.branch.as_str(), status.head_commit.as_str()), ("main", ""));
    assert_eq!(status.untracked, ["a"]);
}

#[tokio::test]
async fn a_detached_head() {
    let folder = Folder::repository();
    folder.write("a", "x");
    let commit = folder.commit();
    folder.git(&["checkout", "--quiet", "--detach"]);
    let status = status(&folder).await;
    assert_eq!((status.branch.as_str(), status.head_commit), ("", commit));
}

#[tokio::test]
async fn a_folder_below_the_top_tells_of_the_whole_tree() {
    let folder = Folder::repository();
    folder.write("above", "x");
    folder.write("sub/below", "x");
    let status = patient(folder.path().join("sub")).status().await.unwrap();
    assert_eq!(status.untracked, ["above", "sub/below"]);
}

#[tokio::test]
async fn a_linked_working_tree() {
    let folder = Folder::repository();
    folder.write("a", "x");
    folder.commit();
    let other = Folder::empty();
    let place = other.path().join("linked");
    folder.git(&["worktree", "add", "--quiet", "-b", "side", place.to_str().unwrap()]);
    std::fs::write(place.join("b"), "x").unwrap();
    let status = patient(place).status().await.unwrap();
    assert_eq!((status.branch.as_str(), status.untracked), ("side", vec!["b".to_owned()]));
}

#[tokio::test]
async fn a_submodule_is_one_entry() {
    let inner = Folder::repository();
    inner.write("a", "x");
    inner.commit();
    let folder = Folder::repository();
    let source = inner.path().to_str().unwrap().to_owned();
    folder.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &source, "sub"]);
    folder.commit();
    assert_eq!(status(&folder).await.modified, [""; 0]);
    folder.write("sub/a", "changed");
    assert_eq!(status(&folder).await.modified, [""; 0], "its own git would have to be started for this");
    folder.git(&["-C", "sub", "commit", "--quiet", "--all", "--message", "changed"]);
    let status = status(&folder).await;
    assert_eq!((status.modified, status.untracked), (vec!["sub".to_owned()], vec![]));
}

#[tokio::test]
async fn nothing_is_written_and_no_lock_is_waited_for() {
    let folder = Folder::repository();
    folder.write("a", "x");
    folder.commit();
    // Now the index is out of date: a plain `git status` would rewrite it.
    folder.write("a", "x");
    let index = folder.path().join(".git/index");
    let before = (std::fs::read(&index).unwrap(), index.metadata().unwrap().modified().unwrap());
    folder.write(".git/index.lock", "");
    assert_eq!(status(&folder).await.modified, [""; 0]);
    let after = (std::fs::read(&index).unwrap(), index.metadata().unwrap().modified().unwrap());
    assert_eq!(before, after);
    assert!(folder.path().join(".git/index.lock").exists());
}

#[tokio::test]
async fn a_folder_outside_of_any_repository() {
    let folder = Folder::empty();
    let error = patient(folder.path()).status().await.unwrap_err();
    assert!(matches!(error, GitError::NoRepository(_)), "{error:?}");
    let error = patient(folder.path().join("missing")).status().await.unwrap_err();
    assert!(matches!(error, GitError::NoRepository(_)), "{error:?}");
    let bare = Folder::empty();
    bare.git(&["init", "--quiet", "--bare"]);
    let error = patient(bare.path()).status().await.unwrap_err();
    assert!(matches!(error, GitError::NoRepository(_)), "{error:?}");
}

#[tokio::test]
async fn a_damaged_repository_says_so() {
    let folder = Folder::repository();
    folder.write("a", "x");
    folder.commit();
    folder.write(".git/index", "no index");
    let error = patient(folder.path()).status().await.unwrap_err();
    assert!(matches!(&error, GitError::Refused(text) if text.contains("index")), "{error:?}");
}

#[tokio::test]
async fn no_git_at_all() {
    let folder = Folder::repository();
    let error = patient(folder.path()).with_program("no-such-git").status().await.unwrap_err();
    assert!(matches!(error, GitError::NoGit), "{error:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_git_that_hangs_is_ended() {
    let folder = Folder::repository();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/git/slow_git.sh");
    let probe = patient(folder.path()).with_program(script).with_limit(Duration::from_millis(200));
    let began = Instant::now();
    let error = probe.status().await.unwrap_err();
    assert!(matches!(error, GitError::TimedOut(200)), "{error:?}");
    assert!(began.elapsed() < Duration::from_secs(30), "the script would sleep for 60 s");
}
