//! `throughline run --task` on a branch and in a worktree.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::git::git;
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, last_object, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

/// A repository in the working folder, and a task.
fn place() -> (Place, PathBuf) {
    let place = Place::new();
    let work = place.work();
    git(&work, &["init", "-q", "-b", "trunk"]);
    git(&work, &["add", "."]);
    git(&work, &["commit", "-q", "-m", "begin"]);
    let task = "# Fix the sum\n\nIt is wrong.\n";
    fs::write(place.folder.path().join("task.md"), task).unwrap();
    let work = work.canonicalize().unwrap();
    (place, work)
}

/// Runs the task, whose model makes this call and is done.
fn task(place: &Place, call: Option<Answer>, args: &[&str]) -> Ran {
    let script = call.into_iter().fold(Script::new(), Script::then);
    let server = serve(script.then(Answer::text("SIGNAL:DONE")).repeat_last());
    let all: Vec<&str> = ["--task", "../task.md", "-o", "json"].iter().chain(args).copied().collect();
    run(&mut place.asks(&server, MODEL, &all))
}

fn edit() -> Answer {
    let input = json!({"path": "a.txt", "old_string": "alpha", "new_string": "gamma"});
    Answer::call("c1", "edit_file", input)
}

// S0-44
#[test]
fn a_task_works_on_a_branch_that_is_created() {
    let (place, work) = place();
    let ran = task(&place, None, &["--branch", "fix/sum"]);
    assert_eq!(last_object(&ran)["task"]["tree"], json!({"branch": "fix/sum", "worktree": null}));
    assert_eq!(git(&work, &["branch", "--show-current"]), "fix/sum");
    assert_says(&ran.err, &["the task works on branch fix/sum", "back: git switch trunk"]);
    let refused = task(&place, None, &["--branch", "a..b"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert_says(&refused.err, &["cannot work on branch a..b", "not a name of a branch"]);
}

// S0-44
#[test]
fn a_task_works_in_a_worktree_that_stays_or_goes_as_asked() {
    let (place, work) = place();
    let ran = task(&place, Some(edit()), &["--worktree"]);
    let tree = work.with_file_name(format!("{}-throughline-fix-the-sum", "work"));
    let object: Value = last_object(&ran)["task"]["tree"].clone();
    assert_eq!(object, json!({"branch": "throughline/fix-the-sum", "worktree": tree}), "{ran:?}");
    assert!(fs::read_to_string(tree.join("a.txt")).unwrap().contains("gamma"));
    assert!(!fs::read_to_string(work.join("a.txt")).unwrap().contains("gamma"), "the own tree is untouched");
    assert_says(&ran.err, &["the worktree stays; to remove it: git worktree remove"]);

    // It is used again, and what is not committed is never removed.
    let ran = task(&place, None, &["--worktree", "--remove-worktree"]);
    assert_says(&ran.err, &["stays: not everything in it is committed: a.txt"]);
    assert!(fs::read_to_string(tree.join("a.txt")).unwrap().contains("gamma"));
    git(&tree, &["commit", "-q", "-a", "-m", "fixed"]);
    let ran = task(&place, None, &["--worktree", "--remove-worktree"]);
    assert_says(&ran.err, &["removed the worktree; the work is on branch throughline/fix-the-sum"]);
    let object = json!({"branch": "throughline/fix-the-sum", "worktree": tree, "removed": true});
    assert_eq!(last_object(&ran)["task"]["tree"], object);
    assert!(!tree.exists());
    assert!(git(&work, &["show", "throughline/fix-the-sum:a.txt"]).contains("gamma"));

    let ran = task(&place, None, &["--branch", "other", "--worktree", "--remove-worktree"]);
    assert_says(&ran.err, &["removed the worktree, and branch other, which has no new commit"]);
    assert_eq!(git(&work, &["branch", "--list", "other"]), "");
    assert_eq!(git(&work, &["branch", "--show-current"]), "trunk");
}

#[test]
fn a_branch_and_a_worktree_belong_to_a_task() {
    let (place, _) = place();
    let server = serve(Script::new());
    for args in [&["--branch", "b", "Go."][..], &["--worktree", "Go."], &["--remove-worktree", "Go."]] {
        let misused = run(&mut place.asks(&server, MODEL, args));
        assert_eq!(misused.code, Some(2), "{misused:?}");
    }
}

#[test]
fn a_task_whose_worktree_was_removed_is_continued_in_one_that_is_made_again() {
    let (place, _) = place();
    let server = serve(Script::new().then(Answer::text("Nothing.")).repeat_last());
    let args =
        ["--task", "../task.md", "--max-turns", "1", "--worktree", "--remove-worktree", "--branch", "b c"];
    let refused = run(&mut place.asks(&server, MODEL, &args));
    assert_says(&refused.err, &["not a name of a branch"]);
    let args =
        ["--task", "../task.md", "--max-turns", "1", "--worktree", "--remove-worktree", "--branch", "b"];
    let ran = run(&mut place.asks(&server, MODEL, &args));
    let (before, line) = ran.err.split_once("to continue: ").unwrap_or_else(|| panic!("{ran:?}"));
    assert_says(before, &["removed the worktree"]);
    let again = line.lines().next().unwrap();
    assert!(again.contains(" --task ../task.md --branch b --worktree"), "{again}");
}
