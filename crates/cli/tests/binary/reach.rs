//! How far commands and file tools reach: the project around the working folder, and what git keeps elsewhere for it.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::git::git;
use crate::permitted::{MODEL, called, results};
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

/// A folder that the sandbox does not open for temporary files; `None`, with a printed line, if there is no such folder.
fn sheltered() -> Option<Place> {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR"));
    if [Path::new("/tmp"), Path::new("/var/tmp"), &std::env::temp_dir()]
        .iter()
        .any(|open| here.starts_with(open))
    {
        println!("skipped: {} is open to every command", here.display());
        return None;
    }
    fs::create_dir_all(here).unwrap();
    let folder = tempfile::tempdir_in(here).unwrap();
    fs::create_dir_all(folder.path().join("work/sub")).unwrap();
    fs::write(folder.path().join("work/sub/b.txt"), "beta\n").unwrap();
    let place = Place { folder };
    let closed = said(&place, &place.work(), "echo x > ../closed; true");
    if !closed.contains("Permission denied") {
        println!("skipped: this system has no sandbox: {closed}");
        return None;
    }
    git(&place.work(), &["init", "-q"]);
    git(&place.work(), &["add", "."]);
    git(&place.work(), &["commit", "-q", "-m", "one"]);
    Some(place)
}

/// What the model reads of a command that it runs in this folder.
fn said(place: &Place, folder: &Path, command: &str) -> String {
    let call = Answer::call("c1", "shell", json!({ "command": command }));
    let server = serve(Script::new().then(call).then(Answer::text("Done.")));
    let ran = run(place.asks(&server, MODEL, &["Go."]).current_dir(folder));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    results(&server)
}

#[test]
fn a_folder_of_a_repository_is_worked_in_with_git_and_with_builds() {
    let Some(place) = sheltered() else { return };
    let sub = place.work().join("sub");
    let printed =
        said(&place, &sub, "echo more >> b.txt && git add b.txt && mkdir ../target && git status --short");
    assert_says(&printed, &["M  b.txt", "exit status: 0"]);
    assert_says(&said(&place, &sub, "echo x > ../../closed"), &["Permission denied", "exit status: 1"]);
}

#[test]
fn a_worktree_is_committed_in_and_opens_no_hooks() {
    let Some(place) = sheltered() else { return };
    git(&place.work(), &["worktree", "add", "-q", "../other"]);
    let other = place.folder.path().join("other");
    let who = "-c user.name=t -c user.email=t@example.org";
    let printed = said(
        &place,
        &other.join("sub"),
        &format!("echo more >> b.txt && git {who} commit -q -am two && git log --oneline"),
    );
    assert_says(&printed, &["two", "one", "exit status: 0"]);
    for command in
        ["echo x > ../work/.git/hooks/pre-commit", "git config core.fsmonitor ./x", "echo x > ../work/a"]
    {
        let printed = said(&place, &other, command);
        let refused = ["ermission denied", "ead-only file system", "resource busy"]
            .iter()
            .any(|why| printed.contains(why));
        assert!(refused && !printed.contains("exit status: 0"), "{command}: {printed}");
    }
    assert!(!place.work().join("a").exists());
}

#[test]
fn file_tools_write_where_the_settings_let_them() {
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("new.txt");
    let input = json!({"path": file, "content": "x"});
    for mode in ["ask", "auto-edit", "yolo"] {
        let (printed, _) = called("", &["--mode", mode], "write_file", input.clone());
        assert_says(&printed, &["was not run", "outside of the workspace", "`writable` in [tools]"]);
    }
    assert!(!file.exists());
    let settings = format!("[tools]\nwritable = [{:?}]\n", outside.path());
    let (printed, _) = called(&settings, &["--mode", "auto-edit"], "write_file", input.clone());
    assert_says(&printed, &["was not run", "it changes a file outside of the workspace"]);
    let (printed, _) = called(&settings, &["--mode", "yolo"], "write_file", input);
    assert_says(&printed, &["Created"]);
    assert!(file.exists());
}

#[test]
fn a_search_shows_nothing_of_a_file_that_may_not_be_read() {
    let settings = "[permissions]\ndeny = [\"read(**/a.txt)\"]\n";
    let (printed, _) = called(settings, &[], "grep", json!({"pattern": "alpha"}));
    assert_says(&printed, &["[no line matches]", "1 file was not searched"]);
    let (printed, _) = called(settings, &[], "list_files", json!({}));
    assert!(!printed.contains("a.txt") && printed.contains("1 file was not listed"), "{printed}");
    let steps = json!({"steps": [{"text": "look", "status": "done"}]});
    let (printed, _) =
        called("[permissions]\ndeny = [\"read(secret/**)\"]\n", &[], "update_checklist", steps);
    assert!(!printed.contains("was not run"), "what reads no file is not about files: {printed}");
}

#[test]
fn a_resumed_session_notices_changes_since() {
    let place = Place::new();
    let read = Answer::call("c1", "read_file", json!({"path": "a.txt"}));
    let server = serve(Script::new().then(read).then(Answer::text("Done.")));
    assert_eq!(run(&mut place.asks(&server, MODEL, &["Go."])).code, Some(0));
    let edit =
        Answer::call("c2", "edit_file", json!({"path": "a.txt", "old_string": "beta", "new_string": "b"}));
    let file = File::options().write(true).open(place.work().join("a.txt")).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
    let server = serve(Script::new().then(edit).then(Answer::text("Done.")));
    assert_eq!(run(&mut place.asks(&server, MODEL, &["-c", "Continue."])).code, Some(0));
    assert_says(&results(&server), &["a.txt was changed by something else", "Read it again first."]);
    // Unchanged: known, so that it may also be replaced.
    file.set_modified(SystemTime::now() - Duration::from_secs(600)).unwrap();
    let write = Answer::call("c3", "write_file", json!({"path": "a.txt", "content": "new\n"}));
    let server = serve(Script::new().then(write).then(Answer::text("Done.")));
    assert_eq!(run(&mut place.asks(&server, MODEL, &["-c", "Continue."])).code, Some(0));
    assert_says(&results(&server), &["Replaced a.txt"]);
}
