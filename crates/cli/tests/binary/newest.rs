//! Which session `last` and `--continue` mean.

use std::fs;

use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

/// A session of the place's folder, and a newer one of another folder. Returns their ids.
fn two_folders() -> (Place, Server, String, String) {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    fs::create_dir(place.folder.path().join("other")).unwrap();
    let id = |folder: &str| {
        let mut command = place.asks(&server, MODEL, &["-o", "json", "Go."]);
        let ran = run(command.current_dir(place.folder.path().join(folder))).json();
        ran["session"].as_str().unwrap().to_owned()
    };
    let (here, other) = (id("work"), id("other"));
    (place, server, here, other)
}

#[test]
fn last_is_the_newest_session_of_this_folder() {
    let (place, _server, here, other) = two_folders();
    for command in [&["context", "last"][..], &["handoff", "last", "--json"], &["messages", "list", "last"]] {
        let out = run(&mut place.bare(command)).done();
        assert!(!out.contains(&other), "{command:?}: {out}");
    }
    let export = |args: &[&str]| run(&mut place.bare(args)).done();
    assert_eq!(export(&["export", "last"]), export(&["export", &here]));
    assert_eq!(export(&["export", "last", "--any-folder"]), export(&["export", &other]));
    run(&mut place.bare(&["messages", "remove", "last", "1", "--yes"])).done();
    assert_says(&export(&["export", &other]), &["Go."]);
}

#[test]
fn a_folder_without_a_session_names_the_option_for_all_folders() {
    let (place, server, _, other) = two_folders();
    let empty = place.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    for mut command in [
        place.bare(&["context", "last"]),
        place.asks(&server, MODEL, &["-c", "More."]),
        place.asks(&server, MODEL, &["-r", "last", "More."]),
    ] {
        let ran = run(command.current_dir(&empty));
        assert_ne!(ran.code, Some(0));
        assert_says(&ran.err, &["there is no session of folder", "--any-folder"]);
    }
    let mut all = place.asks(&server, MODEL, &["-o", "json", "--any-folder", "-c", "More."]);
    assert_eq!(run(all.current_dir(&empty)).json()["session"], other.as_str());
}
