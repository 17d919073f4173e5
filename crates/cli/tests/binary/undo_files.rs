//! Undo and redo of a turn with the files that it changed.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, ToolCall};
use throughline_testserver::{Answer, Script};

use crate::git::git;
use crate::permitted::MODEL;
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

/// A turn in which the model makes these calls, one after the other.
fn turn(place: &Place, args: &[&str], calls: &[(&str, Value)]) {
    let mut script = Script::new();
    for (number, (tool, input)) in calls.iter().enumerate() {
        script = script.then(Answer::call(&format!("c{number}"), tool, input.clone()));
    }
    let server = serve(script.then(Answer::text("Done.")));
    let mut all = args.to_vec();
    all.push("Go.");
    let ran = run(&mut place.asks(&server, MODEL, &all));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// The output of a command on the newest session.
fn said(place: &Place, args: &[&str]) -> String {
    let (command, flags) = args.split_first().unwrap();
    run(place.bare(&[command, "last"]).args(flags)).done()
}

fn text(place: &Place, path: &str) -> Option<String> {
    fs::read_to_string(place.work().join(path)).ok()
}

/// A turn that changes a file, makes one, and changes, makes and removes others by a command.
fn changed() -> Place {
    let place = Place::new();
    fs::write(place.work().join("b.txt"), "old b\n").unwrap();
    fs::write(place.work().join("gone.txt"), "was here\n").unwrap();
    let command = "echo new b > b.txt; rm gone.txt; mkdir -p made; echo made > made/c.txt";
    turn(
        &place,
        &[],
        &[
            ("edit_file", json!({ "path": "a.txt", "old_string": "alpha", "new_string": "ALPHA" })),
            ("edit_file", json!({ "path": "a.txt", "old_string": "beta", "new_string": "BETA" })),
            ("write_file", json!({ "path": "new/n.txt", "content": "n\n" })),
            ("shell", json!({ "command": command })),
        ],
    );
    assert_eq!(text(&place, "a.txt").as_deref(), Some("ALPHA\nBETA\n"));
    assert_eq!(text(&place, "made/c.txt").as_deref(), Some("made\n"));
    place
}

#[test]
fn files_are_named_as_the_session_names_them_wherever_the_command_is_typed() {
    let place = changed();
    let typed = |args: &[&str]| {
        let mut command = place.bare(&["--any-folder"]);
        run(command.current_dir(place.folder.path()).args(args)).done()
    };
    for out in
        [typed(&["undo", "last"]), typed(&["redo", "last", "--files"]), typed(&["undo", "last", "--files"])]
    {
        assert!(!out.contains("work/"), "{out}");
    }
    assert_says(&typed(&["redo", "last", "--files"]), &["Restored a.txt, ", "made/c.txt"]);
}

fn assert_before(place: &Place) {
    assert_eq!(text(place, "a.txt").as_deref(), Some("alpha\nbeta\n"));
    assert_eq!(text(place, "b.txt").as_deref(), Some("old b\n"));
    assert_eq!(text(place, "gone.txt").as_deref(), Some("was here\n"));
    assert_eq!((text(place, "new/n.txt"), text(place, "made/c.txt")), (None, None));
}

#[test]
fn undo_restores_the_files_of_a_turn_and_redo_brings_the_changes_back() {
    let place = changed();
    let out = said(&place, &["undo", "--files"]);
    assert_says(
        &out,
        &["Undid turn 1", "Restored ", "a.txt", "gone.txt", "Removed ", "n.txt", "redo", "--files"],
    );
    assert_before(&place);
    let out = said(&place, &["redo", "--files"]);
    assert_says(&out, &["Restored turn 1", "a.txt", "n.txt", "Removed ", "gone.txt"]);
    assert_eq!(text(&place, "a.txt").as_deref(), Some("ALPHA\nBETA\n"));
    assert_eq!(text(&place, "b.txt").as_deref(), Some("new b\n"));
    assert_eq!((text(&place, "gone.txt"), text(&place, "new/n.txt").as_deref()), (None, Some("n\n")));
    said(&place, &["undo", "--files"]);
    assert_before(&place);
}

#[test]
fn undo_without_a_terminal_or_with_no_files_keeps_the_files_and_says_so() {
    for flags in [&[][..], &["--no-files"]] {
        let place = changed();
        let out = said(&place, &[&["undo"], flags].concat());
        assert_says(&out, &["Undid turn 1", "File changes were kept", "a.txt", "--files"]);
        assert_eq!(text(&place, "a.txt").as_deref(), Some("ALPHA\nBETA\n"));
    }
}

#[test]
fn undo_leaves_a_file_alone_that_the_user_changed_since() {
    let place = changed();
    fs::write(place.work().join("a.txt"), "mine\n").unwrap();
    let out = said(&place, &["undo", "--files"]);
    let line = out.lines().find(|line| line.starts_with("Not restored")).unwrap();
    assert_says(line, &["something else changed", "a.txt"]);
    assert!(!line.contains("b.txt"), "{line}");
    assert_eq!(text(&place, "a.txt").as_deref(), Some("mine\n"));
    assert_eq!(text(&place, "b.txt").as_deref(), Some("old b\n"));
}

#[test]
fn a_file_whose_content_is_too_large_to_record_is_not_said_to_be_changed_since() {
    let place = Place::new();
    let command = "head -c 2000000 /dev/zero > big.bin";
    turn(&place, &[], &[("shell", json!({ "command": command }))]);
    let out = said(&place, &["undo", "--files"]);
    assert_says(
        &out,
        &["Not restored big.bin: what the turn left in it is not recorded (it is larger than 1 MiB)."],
    );
    assert!(!out.contains("something else"), "{out}");
    assert_eq!(text(&place, "big.bin").map(|text| text.len()), Some(2_000_000));
}

#[test]
fn turns_are_undone_one_after_the_other_with_their_files() {
    let place = Place::new();
    let edit = |old: &str, new: &str| {
        ("edit_file", json!({ "path": "a.txt", "old_string": old, "new_string": new }))
    };
    turn(&place, &[], &[edit("alpha", "one")]);
    turn(&place, &["-c"], &[edit("one", "two")]);
    said(&place, &["undo", "--files"]);
    assert_eq!(text(&place, "a.txt").as_deref(), Some("one\nbeta\n"));
    said(&place, &["undo", "--files"]);
    assert_eq!(text(&place, "a.txt").as_deref(), Some("alpha\nbeta\n"));
    said(&place, &["redo", "--files"]);
    said(&place, &["redo", "--files"]);
    assert_eq!(text(&place, "a.txt").as_deref(), Some("two\nbeta\n"));
}

#[test]
fn deleting_a_turn_permanently_deletes_what_its_files_were() {
    let place = Place::new();
    fs::write(place.work().join("a.txt"), "canary-of-the-old-file alpha\n").unwrap();
    let new = json!({ "path": "a.txt", "old_string": "alpha", "new_string": "omega" });
    turn(&place, &[], &[("edit_file", new)]);
    let export = said(&place, &["export"]);
    assert!(export.contains("\"kind\":\"files\""), "{export}");
    run(&mut place.bare(&["messages", "remove", "last", "1", "--yes"])).done();
    let export = said(&place, &["export"]);
    assert!(!export.contains("\"kind\":\"files\"") && !export.contains("a.txt"), "{export}");
    let data = place.folder.path().join(".local/share/throughline");
    for entry in fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        let bytes = if path.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        let found = bytes.windows(22).any(|window| window == b"canary-of-the-old-file");
        assert!(!found, "{}", path.display());
    }
}

#[test]
fn what_a_file_was_is_stored_before_a_tool_changes_it() {
    let place = Place::new();
    // The edit and the new file are made while the command runs, and no result is saved before it ends.
    let call = |id: &str, name: &str, input: Value| {
        ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), input })
    };
    let edit = json!({ "path": "a.txt", "old_string": "alpha", "new_string": "ALPHA" });
    let calls = vec![
        call("c1", "edit_file", edit),
        call("c2", "write_file", json!({ "path": "n.txt", "content": "n\n" })),
        call("c3", "shell", json!({ "command": "sleep 60" })),
    ];
    let server = serve(Script::new().then(Answer::blocks(calls)));
    let mut running =
        place.asks(&server, MODEL, &["Go."]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    while text(&place, "a.txt").as_deref() != Some("ALPHA\nbeta\n") || text(&place, "n.txt").is_none() {
        assert!(Instant::now() < end, "the files never changed");
        std::thread::sleep(Duration::from_millis(1));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let out = said(&place, &["undo", "--files"]);
    assert_says(&out, &["Undid turn 1", "Restored ", "a.txt", "Removed ", "n.txt"]);
    assert_eq!((text(&place, "a.txt").as_deref(), text(&place, "n.txt")), (Some("alpha\nbeta\n"), None));
}

#[test]
fn the_model_hears_which_files_an_undo_left_changed_and_of_no_others() {
    for (flags, hears) in [("--no-files", true), ("--files", false)] {
        let place = changed();
        said(&place, &["undo", flags]);
        let server = serve(Script::new().then(Answer::text("I see.")).repeat_last());
        let sent = |count: usize| {
            run(&mut place.asks(&server, MODEL, &["-c", "What is in a.txt?"]));
            let received = server.received();
            assert_eq!(received.len(), count);
            received.last().unwrap().body["messages"].to_string()
        };
        let first = sent(1);
        assert_eq!(first.contains("these files still have its changes: a.txt, "), hears, "{first}");
        assert!(!hears || ["new/n.txt", "gone.txt", "made/c.txt"].iter().all(|name| first.contains(name)));
        // It is a part of that message, and is not repeated.
        let second = sent(2);
        assert_eq!(second.matches("these files still have").count(), usize::from(hears), "{second}");
    }
}

#[test]
fn read_only_files_are_restored_made_folders_removed_and_what_is_not_covered_said() {
    let place = Place::new();
    let at = |path: &str| place.work().join(path);
    fs::write(at("b.txt"), "old b\n").unwrap();
    fs::write(at("l.txt"), "old l\n").unwrap();
    fs::write(at(".gitignore"), "ign/\n").unwrap();
    fs::create_dir_all(at("ign")).unwrap();
    fs::create_dir_all(at("empty")).unwrap();
    fs::write(at("ign/data"), "x").unwrap();
    std::os::unix::fs::symlink("b.txt", at("ln")).unwrap();
    let command = "echo new > b.txt; chmod 444 b.txt; rm l.txt; ln -s b.txt l.txt; mkdir -p x/y; echo 1 > x/y/f; \
                   echo 1 > empty/f; rm -rf ign; rm ln; ln -s a.txt ln";
    turn(&place, &[], &[("shell", json!({ "command": command }))]);
    let undone = said(&place, &["undo", "--files"]);
    assert_eq!(text(&place, "b.txt").as_deref(), Some("old b\n"), "{undone}");
    assert!(!at("x").exists() && at("empty").exists(), "{undone}");
    assert!(undone.contains("l.txt: a link is in its place"), "{undone}");
    for not_covered in ["ign: it is ignored by .gitignore", "ln: it is a link"] {
        assert!(undone.contains(not_covered), "{undone}");
    }
    let redone = said(&place, &["redo", "--files"]);
    assert!(at("x/y/f").exists(), "{redone}");
    said(&place, &["undo", "--files"]);
    assert!(!at("x").exists());
}

#[test]
fn files_of_a_project_that_was_moved_are_not_restored_and_that_is_said() {
    let place = changed();
    let work = place.work();
    let moved = work.with_file_name("elsewhere");
    fs::rename(&work, &moved).unwrap();
    let ran = run(place.bare(&["undo", "last", "--files", "--any-folder"]).current_dir(&moved));
    assert_says(&ran.done(), &["Not restored: ", "made/c.txt", "the project is no longer at "]);
    assert_eq!(fs::read_to_string(moved.join("made/c.txt")).unwrap(), "made\n");
}

#[test]
fn undo_says_that_a_command_moved_head() {
    let place = Place::new();
    git(&place.work(), &["init", "-q", "-b", "trunk"]);
    git(&place.work(), &["add", "."]);
    git(&place.work(), &["commit", "-q", "-m", "begin"]);
    let command =
        "echo b > a.txt && git -c user.name=t -c user.email=t@t commit -qam model && git switch -qc side";
    turn(&place, &["--mode", "yolo"], &[("shell", json!({ "command": command }))]);
    let said = said(&place, &["undo", "--files"]);
    assert_says(&said, &["Not covered: commits and branches: HEAD moved from ", "(trunk) to ", "(side)"]);
}
