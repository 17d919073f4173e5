//! Which session `last` and `--continue` mean.

use std::fs;
use std::path::PathBuf;

use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{assert_says, last_object, run};

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
    let ran = run(all.current_dir(&empty));
    assert_eq!(last_object(&ran)["session"], other.as_str());
}

#[test]
fn a_session_belongs_to_the_folder_in_which_it_was_opened_last() {
    let (place, server, here, other) = two_folders();
    let elsewhere = place.folder.path().join("other");
    let mut resumed = place.asks(&server, MODEL, &["-o", "json", "-r", &here, "More."]);
    let ran = run(resumed.current_dir(&elsewhere));
    assert_eq!(last_object(&ran)["session"], here.as_str());
    let folders = [place.work(), elsewhere.clone()].map(|folder| folder.canonicalize().unwrap());
    let [before, now] = folders.map(|folder| folder.display().to_string());
    assert_says(&ran.err, &[&format!("this session worked in {before}; from now on it works in {now}")]);
    let asked = server.received().last().unwrap().body["messages"].to_string();
    assert_says(&asked, &[&format!("has worked in {before} so far"), &now]);

    let continued = |folder: &PathBuf| {
        run(place.asks(&server, MODEL, &["-o", "json", "-c", "Once more."]).current_dir(folder))
    };
    let ran = continued(&elsewhere);
    assert_eq!(last_object(&ran)["session"], here.as_str(), "it is newer than {other}");
    assert!(!ran.err.contains("from now on it works in"), "it is said once: {}", ran.err);
    assert_ne!(continued(&place.work()).code, Some(0), "no session is left there");
}
