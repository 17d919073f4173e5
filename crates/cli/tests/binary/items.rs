//! One result of a tool is dropped from view, read by its reference, and restored.

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};
use throughline_text::group_thousands;

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

fn script() -> Script {
    Script::new().then(Answer::text("Done.")).repeat_last()
}

/// The messages of the next request, which continues the session.
fn next(place: &Place) -> String {
    let server = serve(script());
    let ran = run(&mut place.asks(&server, MODEL, &["-c", "And now?"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    messages(&server)
}

/// Tokens of the conversation, as `context` shows them.
fn in_context(place: &Place) -> String {
    let report = run(&mut place.bare(&["context", "last", "--json"])).json();
    let components = report["components"].as_array().unwrap();
    let conversation = components.iter().find(|share| share["name"] == "conversation").unwrap();
    group_thousands(conversation["tokens"].as_u64().unwrap())
}

fn messages(server: &Server) -> String {
    server.received().last().unwrap().body["messages"].to_string()
}

#[test]
fn a_dropped_result_is_a_stub_with_a_reference_until_it_is_restored() {
    let place = Place::new();
    std::fs::write(place.work().join("noise.txt"), "a line of noise and the word canary\n".repeat(40))
        .unwrap();
    let first = Script::new()
        .then(Answer::call("c1", "read_file", json!({"path": "noise.txt"})))
        .then(Answer::text("I have read it."));
    let server = serve(first);
    assert_eq!(run(&mut place.asks(&server, MODEL, &["Read noise.txt."])).code, Some(0));
    let turn = run(&mut place.bare(&["messages", "show", "last", "1", "--json"])).json();
    let rows = turn["parts"].as_array().unwrap();
    let id = |kind: &str| -> String {
        let row = rows.iter().find(|row| row["kind"] == kind).unwrap_or_else(|| panic!("{turn}"));
        row["id"].as_i64().unwrap().to_string()
    };
    let result = id("tool_result");

    let text = run(&mut place.bare(&["context", "last", "drop", &id("text")])).failed();
    assert_says(&text, &["only the result of a call or a picture can be dropped alone"]);
    let before = in_context(&place);
    let dropped = run(&mut place.bare(&["context", "last", "drop", &result])).done();
    assert_says(&dropped, &[&format!("Hid result {result} from the model"), "In view: ", "restore"]);
    assert_says(&dropped, &[&format!("{before} → {} tokens of the conversation", in_context(&place))]);
    assert_says(
        &run(&mut place.bare(&["context", "last", "drop", &result])).failed(),
        &["it is dropped already"],
    );
    let asked = next(&place);
    assert!(!asked.contains("canary"), "{asked}");
    assert_says(&asked, &["[Tool result cleared", "read_file", "c1", "I have read it."]);

    let reference = asked.split("ref_id=\\\"").nth(1).unwrap_or_default().get(..18).unwrap_or_default();
    let read = Script::new()
        .then(Answer::call("c2", "read_result", json!({"ref_id": reference})))
        .then(Answer::text("Done."));
    let server = serve(read);
    assert_eq!(run(&mut place.asks(&server, MODEL, &["-c", "Read it back."])).code, Some(0));
    assert_says(&messages(&server), &["the word canary"]);

    run(&mut place.bare(&["undo", "last"])).done();
    run(&mut place.bare(&["context", "last", "restore", &result])).done();
    assert_says(&next(&place), &["the word canary"]);
    let marks = run(&mut place.bare(&["export", "last"])).done();
    let items = marks.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(items.filter(|record| record["body"]["mark"] == "item").count(), 2);
}
