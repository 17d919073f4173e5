//! How the program starts and ends.

use std::process::Command;
use std::time::Duration;

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::run;
use crate::tmux::Tmux;

// S3-20: whatever ends the program, the session can be taken up
#[test]
fn a_signal_closes_the_session_in_good_order() {
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let slow = Answer::text("A story that takes its time to be read.").wait_each(Duration::from_secs(1));
        let server =
            serve(Script::new().then(Answer::text("Yes.")).then(slow).then(Answer::text("Back again.")));
        let place = Place::new();
        let screen = Tmux::start(&place, &server, (100, 30), &["Are you there?"]);
        screen.shows("Yes.");
        screen.idle();
        screen.say("Tell me a story.");
        screen.shows("A story");
        let sent = Command::new("kill").args(["-s", signal, &screen.pid().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(screen.ended(), code, "{signal}");
        // The last record is a checkpoint, so everything before it was written.
        let log = run(&mut place.bare(&["export", "last"])).done();
        let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        assert_eq!(last["body"]["kind"], json!("checkpoint"), "{signal}: {last}");
        let again = Tmux::start(&place, &server, (100, 30), &["-c"]);
        again.shows("/continue resumes it");
        again.say("/continue");
        again.shows("Back again.");
        again.key("C-d");
        assert_eq!(again.ended(), 0);
    }
}

// S3-20: a call that the kill cut off is shown as interrupted, and the turn can be continued
#[test]
fn a_call_that_a_kill_cut_off_is_not_shown_as_done() {
    let loops = json!({ "command": "for i in $(seq 1 40); do echo tick $i; sleep 1; done" });
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "shell", loops))
            .then(Answer::text("It was cut off; all is well.")),
    );
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (100, 30), &["--mode", "yolo", "Count slowly."]);
    screen.shows("tick 2");
    let killed = Command::new("kill").args(["-s", "KILL", &screen.pid().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(screen.ended(), 137);
    let again = Tmux::start(&place, &server, (100, 30), &["-c"]);
    let shown = again.shows("/continue resumes it");
    assert!(shown.contains("✗ $ for i in") && shown.contains("interrupted: it has no result"), "{shown}");
    assert!(!shown.contains("✓ $"), "{shown}");
    again.say("/continue");
    again.shows("It was cut off; all is well.");
    let body = server.received().last().unwrap().body.to_string();
    assert!(body.contains("tool_result"), "the call is answered: {body}");
    again.idle();
    again.key("C-d");
    assert_eq!(again.ended(), 0);
}

#[test]
fn without_a_model_it_says_so_and_starts_no_screen() {
    let place = Place::new();
    let mut command = place.bare(&["-p", "Hello there."]);
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("No model is configured."), "{ran:?}");
}

#[test]
fn a_slip_of_the_finger_is_no_prompt() {
    let place = Place::new();
    let said = run(&mut place.bare(&["sesions"])).misused();
    assert!(said.contains("did you mean `throughline sessions`?"), "{said}");
    let alone = run(&mut place.bare(&[])).misused();
    assert!(alone.contains("there is no terminal") && alone.contains("throughline run"), "{alone}");
}
