//! Files and commands that a message brings along.

use std::fs;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

/// The texts of the last message that the server got.
fn last_texts(server: &Server) -> Vec<String> {
    let body = server.received().last().unwrap().body.clone();
    let message = body.get("messages").and_then(Value::as_array).and_then(|all| all.last()).unwrap();
    let blocks = message.get("content").and_then(Value::as_array).unwrap();
    blocks.iter().filter_map(|block| block.get("text")?.as_str().map(str::to_owned)).collect()
}

#[test]
fn a_completed_path_with_a_space_is_attached_and_what_is_missing_is_named() {
    let server = serve(Script::new().then(Answer::text("Read it.")));
    let place = Place::new();
    fs::create_dir(place.work().join("notes")).unwrap();
    fs::write(place.work().join("notes/late harvest.md"), "apples\n").unwrap();
    let screen = Tmux::start(&place, &server, (100, 30), &[]);
    screen.ready();
    screen.text("Read @harv");
    screen.shows("notes/late harvest.md");
    screen.key("Tab");
    screen.shows("@\"notes/late harvest.md\"");
    screen.text("and @notes, not @nosuch.txt of @alice");
    screen.key("Enter");
    screen.shows("Read it.");
    let seen = screen.all();
    assert!(seen.contains("attached notes/late harvest.md, notes"), "{seen}");
    assert!(seen.contains("nosuch.txt is not attached: there is no such file"), "{seen}");
    assert!(!seen.contains("alice is not"), "{seen}");
    let texts = last_texts(&server);
    assert!(
        texts[1].starts_with("Content of notes/late harvest.md:") && texts[1].contains("apples"),
        "{texts:?}"
    );
    assert!(texts[2].starts_with("Content of notes:") && texts[2].contains("late harvest.md"), "{texts:?}");
}

#[test]
fn a_file_that_is_named_while_a_turn_runs_is_in_its_next_request() {
    let call = Answer::call("c1", "shell", json!({"command": "while [ ! -e go ]; do sleep 0.1; done"}));
    let server = serve(Script::new().then(call).then(Answer::text("Read it.")));
    let place = Place::new();
    fs::write(place.work().join("notes.txt"), "apples\n").unwrap();
    let screen = Tmux::start(&place, &server, (100, 30), &["--mode", "yolo"]);
    screen.shows("Ask for a change");
    screen.say("Wait.");
    screen.shows("while [");
    screen.say("Then read @notes.txt , please");
    screen.shows("Then read @notes.txt , please  next");
    screen.say("/rename later");
    screen.shows("/rename later  at the end of the turn");
    fs::write(place.work().join("go"), "").unwrap();
    screen.shows("Read it.");
    let seen = screen.idle();
    assert!(seen.contains("attached notes.txt"), "{seen}");
    assert_eq!(server.received().len(), 2, "one turn");
    let texts = last_texts(&server);
    assert!(texts.iter().any(|text| text == "Then read @notes.txt , please"), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("apples")), "{texts:?}");
}

#[test]
fn the_output_of_a_command_does_not_replace_what_the_user_wrote() {
    let server = serve(Script::new().then(Answer::text("It is one.")).then(Answer::text("Two.")));
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (100, 30), &[]);
    screen.ready();
    screen.say("!");
    screen.shows("Write a command behind");
    screen.say("!echo o''ne");
    screen.shows("echo o''ne  one");
    screen.say("What does it print?");
    screen.shows("It is one.");
    screen.idle();
    assert_eq!(server.received().len(), 1);
    let texts = last_texts(&server);
    assert_eq!(texts[0], "What does it print?");
    assert!(texts[1].starts_with("The user ran a command:\n$ echo o''ne\none"), "{texts:?}");
    // The list of turns has the user's words, and going back puts them into the input, and nothing else.
    screen.key("Escape");
    screen.shows("esc again");
    screen.key("Escape");
    let list = screen.shows("Go back to before");
    assert!(list.contains("What does it print?") && !list.contains("The user ran"), "{list}");
    screen.key("Enter");
    screen.key("Enter");
    let back = screen.idle();
    assert!(back.contains("What does it print?") && !back.contains("The user ran"), "{back}");
}
