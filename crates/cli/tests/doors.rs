//! The doors to the context engine: Rust, `throughline engine` and the HTTP server give the same bodies and errors, and programs that
//! others wrote take the OpenAPI document.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the server is shared with the suite `server`")]

#[path = "doors/document.rs"]
mod document;
#[path = "doors/door.rs"]
mod door;
#[path = "doors/script.rs"]
mod script;
#[path = "server/served.rs"]
mod served;

use serde_json::{Value, json};
use tempfile::TempDir;

use door::{Door, HttpDoor, LineDoor, RustDoor};
use script::Wire;

/// The bodies of a session through each door.
fn bodies_of_all_doors(wire: Wire) -> [Vec<String>; 3] {
    let mut rust = RustDoor::new();
    let mut lines = LineDoor::new();
    let mut http = HttpDoor::new();
    [script::run(&mut rust, wire), script::run(&mut lines, wire), script::run(&mut http, wire)]
}

#[test]
fn a_session_has_the_same_bodies_through_every_door() {
    // The answers of the first report far too little, so that the session compacts later, also behind its reopening.
    for (wire, compactions) in [(Wire::Anthropic, 2), (Wire::Chat, 5)] {
        let [rust, lines, http] = bodies_of_all_doors(wire);
        assert_eq!(rust.len(), script::COMPARED);
        for (step, body) in rust.iter().enumerate() {
            assert_eq!(*body, lines[step], "{wire:?}: request {step} by lines");
            assert_eq!(*body, http[step], "{wire:?}: request {step} by HTTP");
        }
        let shrinks =
            rust[..=script::STEPS].windows(2).filter(|pair| pair[1].len() + 4_000 < pair[0].len()).count();
        assert_eq!(shrinks, compactions, "{wire:?}");
    }
}

#[test]
fn errors_have_the_same_code_and_words_through_every_door() {
    let mut doors: [Box<dyn Door>; 3] =
        [Box::new(RustDoor::new()), Box::new(LineDoor::new()), Box::new(HttpDoor::new())];
    let opened = json!({ "model": "claude-sonnet-4-5" });
    for door in &mut doors {
        door.call("open", "mine", opened.clone()).unwrap();
    }
    let wrong = [
        ("open", "mine", opened.clone()),
        ("open", "new", json!({ "model": "of-no-table" })),
        ("open", "new", json!({ "model": "claude-sonnet-4-5", "policy": "none" })),
        ("open", "new", json!({ "model": "claude-sonnet-4-5", "wimdow": 1 })),
        ("state", "other", json!({})),
        ("next_request", "mine", json!({})),
        ("answer", "mine", json!({ "request": 4, "body": {} })),
        ("results", "mine", json!({ "results": [{ "call": "c", "text": "x" }] })),
        ("summary", "mine", json!({ "id": 1, "text": "x" })),
        ("sync", "mine", json!({ "messages": [{ "role": "robot" }] })),
        ("call", "mine", json!({ "name": "no_such_tool" })),
        ("redo", "mine", json!({})),
        ("compact", "mine", json!({})),
    ];
    for (operation, context, input) in wrong {
        let errors: Vec<Value> =
            doors.iter_mut().map(|door| door.call(operation, context, input.clone()).unwrap_err()).collect();
        assert!(errors[0]["code"].is_string() && errors[0]["message"].is_string(), "{operation}: {errors:?}");
        assert!(errors.iter().all(|error| *error == errors[0]), "{operation}: {errors:?}");
    }
}

#[test]
fn what_was_acknowledged_survives_a_kill_and_the_session_is_free() {
    let home = TempDir::new().unwrap();
    let mut lines = LineDoor::in_folder(home.path());
    let input = script::opening(Wire::Anthropic);
    lines.call("open", "mine", input.clone()).unwrap();
    lines.call("user", "mine", json!({ "text": "Dump everything." })).unwrap();
    let mut steps = 0;
    for step in 0..12 {
        script::step(&mut lines, Wire::Anthropic, step);
        steps += 1;
    }
    lines.kill();
    let mut again = LineDoor::in_folder(home.path());
    let opened = again.call("open", "mine", input).unwrap();
    assert_eq!(opened["resumed"], true);
    let state = again.call("state", "mine", json!({})).unwrap();
    assert_eq!(state["requests"], steps, "{state}");
    let receipts = again.call("receipts", "mine", json!({ "most": 50 })).unwrap();
    assert_eq!(receipts["receipts"].as_array().unwrap().len(), steps, "{receipts}");
    let body = again.call("next_request", "mine", json!({})).unwrap()["body"].to_string();
    assert!(body.contains("c11") && body.contains("Dump everything."), "{body}");
}
