//! Undo of a turn whose program was killed: what finished calls changed is restored, and what is not known is said.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

use crate::permitted::MODEL;
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

fn agent(prompt: &str) -> Value {
    json!({ "agent": "general", "title": "Change files", "prompt": prompt })
}

/// Runs the program until this holds, and kills it.
fn killed_when(place: &Place, server: &Server, holds: impl Fn() -> bool) {
    let mut command = place.asks(server, MODEL, &["Change."]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let limit = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < limit, "{} requests", server.received().len());
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn text(place: &Place, name: &str) -> Option<String> {
    fs::read_to_string(place.work().join(name)).ok()
}

#[test]
fn a_killed_sub_agents_commands_are_undone_with_the_turn() {
    let place = Place::new();
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", agent("Change a.txt and make b.txt.")))
            .then(Answer::call("s1", "shell", json!({ "command": "echo one > a.txt; echo new > b.txt" })))
            .then(Answer::call(
                "s2",
                "edit_file",
                json!({
                    "path": "a.txt", "old_string": "one", "new_string": "two"
                }),
            ))
            .then(Answer::text("never").wait_head(Duration::from_secs(60))),
    );
    killed_when(&place, &server, || server.received().len() >= 4);
    assert_eq!(text(&place, "b.txt").as_deref(), Some("new\n"));
    let said = run(&mut place.bare(&["undo", "last", "--files"])).done();
    assert_eq!(
        (text(&place, "a.txt").as_deref(), text(&place, "b.txt")),
        (Some("alpha\nbeta\n"), None),
        "{said}"
    );
}

#[test]
fn undo_says_that_a_command_was_cut_off() {
    let command = json!({ "command": "echo x > a.txt; sleep 60" });
    let own = Script::new().then(Answer::call("c1", "shell", command.clone()));
    let of_agent = Script::new()
        .then(Answer::call("c1", "agent", agent("Change a.txt.")))
        .then(Answer::call("s1", "shell", command));
    for script in [own, of_agent] {
        let place = Place::new();
        let server = serve(script);
        killed_when(&place, &server, || text(&place, "a.txt").as_deref() == Some("x\n"));
        let said = run(&mut place.bare(&["undo", "last", "--files"])).done();
        let what =
            "the command `echo x > a.txt; sleep 60` has no result: what it may have changed is not known.";
        assert_says(&said, &[&format!("Not covered: {what}")]);
    }
}
