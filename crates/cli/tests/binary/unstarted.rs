//! Runs that end before there is a session: a program that waits for an object gets one.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

/// The one object that was printed.
#[track_caller]
fn object(ran: &Ran) -> Value {
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    let printed: Value = serde_json::from_str(&ran.out).unwrap();
    let fixed = [("type", json!("result")), ("is_error", json!(true)), ("session", Value::Null)];
    for (name, value) in fixed {
        assert_eq!(printed[name], value, "{name} of {printed}");
    }
    assert!(printed["error"].as_str().is_some_and(|error| !error.is_empty()), "{printed}");
    printed
}

#[test]
fn every_failure_before_a_session_is_reported_as_an_object() {
    let place = Place::new();
    fs::write(place.work().join("broken.toml"), "[agent]\npolcy = 1\n").unwrap();
    fs::write(place.work().join("task.md"), "+++\nnonsense = 1\n+++\nGo.\n").unwrap();
    let cases: [(&[&str], i32, &str, &str); 12] = [
        (&["Go."], 3, "no_model", "no model is configured"),
        (&["-m", "gpt-5", "Go."], 3, "no_model", "gpt-5 is a model of openai; set OPENAI_API_KEY"),
        (&["-m", "foo/bar", "Go."], 3, "no_model", "no provider \"foo\""),
        (&["--provider", "openai", "Go."], 3, "no_model", "OPENAI_API_KEY"),
        (&["--provider", "ollama", "Go."], 4, "try_later", "is `ollama serve` running"),
        (&["--provider", "openai", "--key-file", "nowhere", "Go."], 3, "no_model", "nowhere"),
        (&["--config", "broken.toml", "Go."], 2, "usage", "polcy"),
        (&["--task", "task.md"], 2, "usage", "nonsense"),
        (&[], 2, "usage", "there is nothing to do"),
        (&[""], 2, "usage", "the prompt is empty"),
        (&["/nonsense"], 2, "usage", "/nonsense"),
        (&["/context"], 2, "usage", "--continue"),
    ];
    for (args, code, outcome, says) in cases {
        for output in ["json", "stream-json"] {
            let ran = run(&mut place.bare(&[&["run", "-o", output][..], args].concat()));
            assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
            let printed = object(&ran);
            assert_eq!(printed["outcome"], outcome, "{printed}");
            assert!(printed["error"].as_str().unwrap().contains(says), "{printed}");
            assert!(!ran.err.is_empty(), "it is reported on standard error, too: {ran:?}");
        }
        // Text has nothing on standard output.
        let ran = run(&mut place.bare(&[&["run"][..], args].concat()));
        assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{args:?}: {ran:?}");
    }
}

#[test]
fn the_list_of_commands_is_an_object_for_a_program() {
    let place = Place::new();
    for output in ["json", "stream-json"] {
        let ran = run(&mut place.bare(&["run", "-o", output, "/help"]));
        assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
        let printed = ran.json();
        assert_eq!(
            (&printed["type"], &printed["command"]),
            (&json!("command"), &json!("/help")),
            "{printed}"
        );
        assert!(printed["answer"]["lines"].to_string().contains("/compact"), "{printed}");
    }
    assert!(run(&mut place.bare(&["run", "/help"])).done().contains("/compact"));
}

#[test]
fn a_missing_session_is_reported_as_an_object_with_the_same_fields() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done."))));
    let asks = |args: &[&str]| run(&mut place.asks(&server, ("anthropic", "claude-sonnet-4-5"), args));
    let ran = asks(&["-o", "json", "--resume", "nowhere", "Go."]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let names = |printed: &Value| printed.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let (failed, done) = (object(&ran), asks(&["-o", "json", "Go."]).json());
    assert_eq!(names(&failed), names(&done));
}

/// Files below the data folder, but for the database and what is no session's.
fn left(place: &Place) -> Vec<String> {
    let data = place.folder.path().join(".local/share/throughline");
    let mut names = Vec::new();
    for folder in [data.clone(), data.join("locks")] {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let files = files.filter(|file| file.file_type().is_ok_and(|kind| kind.is_file()));
        names.extend(files.map(|file| file.file_name().to_string_lossy().into_owned()));
    }
    names.retain(|name| !name.starts_with("throughline.db") && name != "checked-sandboxes");
    names
}

#[test]
fn a_new_session_that_cannot_ask_a_model_is_not_kept() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    for (window, prompt) in [("10", "Go."), ("3000", "Continue, please.")] {
        let model = ("anthropic", "claude-sonnet-4-5");
        let ran = run(&mut place.asks(&server, model, &["--window", window, prompt]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert_says(&ran.err, &["is too small", "no model was asked"]);
        assert!(!ran.err.contains("--resume") && !ran.err.contains("is saved"), "{}", ran.err);
        let ran = run(&mut place.asks(&server, model, &["-o", "json", "--window", window, prompt]));
        assert_eq!((ran.code, &object(&ran)["outcome"]), (Some(1), &json!("failed")), "{ran:?}");
    }
    assert_eq!(run(&mut place.bare(&["sessions", "--json"])).done(), "[]\n");
    assert_eq!((left(&place), server.received().len()), (Vec::new(), 0));

    // A session that is continued keeps what it had.
    run(&mut place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["Go."])).done();
    let ran =
        run(&mut place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["-c", "--window", "10", "More."]));
    assert_says(&ran.err, &["is too small", "--resume"]);
    let listed = run(&mut place.bare(&["sessions", "--json"])).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
}
