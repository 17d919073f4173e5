//! Calls that wait for an approval over HTTP.

use std::fs;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::hosted::{EventReader, Hosted};

const ASKING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/asking_server.sh");

fn write(id: &str, path: &str) -> Answer {
    Answer::call(id, "write_file", json!({ "path": path, "content": "new\n" }))
}

/// A turn that asks whether it may write `docs/b.txt`, and then `docs/c.txt`.
fn asking(args: &[&str]) -> Hosted {
    let script = Script::new().then(write("call_1", "docs/b.txt")).then(write("call_2", "docs/c.txt"));
    let hosted = Hosted::new(script.then(Answer::text("Fine.")), args);
    fs::create_dir(hosted.served.home().join("work/docs")).unwrap();
    hosted
}

/// The session and the question of a turn, up to its question.
fn question(stream: &mut EventReader) -> (Option<String>, Value) {
    let events = stream.until("question");
    let session = events[0]["session"].as_str().map(str::to_owned);
    (session, events.last().unwrap().clone())
}

fn answer(hosted: &Hosted, id: &str, question: &Value, answer: &Value) -> u16 {
    let question = question["question"].as_str().unwrap();
    let path = format!("/api/sessions/{id}/answers/{question}");
    hosted.served.send("POST", &path, &answer.to_string()).status
}

#[test]
fn a_call_runs_once_it_is_allowed_and_a_refusal_reaches_the_model() {
    let hosted = asking(&["--mode", "ask"]);
    let mut stream = hosted.new_session("Write.");
    let (session, asked) = question(&mut stream);
    let id = session.unwrap();
    assert_eq!((&asked["name"], &asked["input"]["path"]), (&json!("write_file"), &json!("docs/b.txt")));
    assert_eq!((&asked["call_id"], &asked["timeout_ms"]), (&json!("call_1"), &json!(300_000)), "{asked}");
    assert_eq!(asked["choices"], json!(["once", "always", "deny"]), "{asked}");
    let turns = hosted.served.get("/api/turns").json();
    assert_eq!(turns["turns"][0]["questions"], json!([asked]), "{turns}");
    assert!(!hosted.served.home().join("work/docs/b.txt").exists());
    assert_eq!(answer(&hosted, &id, &asked, &json!({ "answer": "once" })), 200);
    let (_, second) = question(&mut stream);
    assert!(hosted.served.home().join("work/docs/b.txt").exists());
    assert_eq!(answer(&hosted, &id, &asked, &json!({ "answer": "once" })), 404, "it is answered");
    assert_eq!(
        answer(&hosted, &id, &second, &json!({ "answer": "deny", "feedback": "Elsewhere, please." })),
        200
    );
    let rest = stream.rest();
    let finished = rest.iter().find(|event| event["type"] == "tool_finished").unwrap();
    assert_eq!(finished["is_error"], true);
    assert!(
        finished["output"].as_str().unwrap().contains("The user declined it and says: Elsewhere, please."),
        "{finished}"
    );
    assert!(!hosted.served.home().join("work/docs/c.txt").exists());
    assert_eq!(rest.last().unwrap()["outcome"], "done");
}

#[test]
fn always_allows_what_its_rule_covers() {
    let hosted = asking(&["--mode", "ask"]);
    let mut stream = hosted.new_session("Write.");
    let (session, asked) = question(&mut stream);
    let id = session.unwrap();
    assert_eq!(asked["rule"], "edit(docs/**)", "{asked}");
    // A rule that does not cover the call is not used: the question comes again.
    assert_eq!(answer(&hosted, &id, &asked, &json!({ "answer": "always", "rule": "edit(src/**)" })), 200);
    let (_, again) = question(&mut stream);
    assert!(again["why"].as_str().unwrap().contains("edit(src/**) is not used"), "{again}");
    assert_eq!(answer(&hosted, &id, &again, &json!({ "answer": "always" })), 200);
    let rest = stream.rest();
    assert!(!rest.iter().any(|event| event["type"] == "question"), "{rest:?}");
    assert!(hosted.served.home().join("work/docs/c.txt").exists());
}

#[test]
fn without_an_answer_a_call_is_denied() {
    let hosted = asking(&["--mode", "ask", "--answer-timeout", "1"]);
    let rest = hosted.new_session("Write.").rest();
    let closed: Vec<&Value> = rest.iter().filter(|event| event["type"] == "question_closed").collect();
    assert_eq!(closed.len(), 2, "{rest:?}");
    assert_eq!(closed[0]["by"], "timeout");
    let finished = rest.iter().find(|event| event["type"] == "tool_finished").unwrap();
    assert!(finished["output"].as_str().unwrap().contains("no user to ask"), "{finished}");
    assert!(!hosted.served.home().join("work/docs/b.txt").exists());
}

#[test]
fn nothing_is_asked_without_a_timeout_and_nothing_has_to_be_in_the_mode_of_run() {
    let hosted = asking(&["--mode", "ask", "--answer-timeout", "0"]);
    let rest = hosted.new_session("Write.").rest();
    assert!(!rest.iter().any(|event| event["type"] == "question"), "{rest:?}");
    assert!(!hosted.served.home().join("work/docs/b.txt").exists());
    let hosted = asking(&[]);
    let rest = hosted.new_session("Write.").rest();
    assert!(!rest.iter().any(|event| event["type"] == "question"), "{rest:?}");
    assert!(hosted.served.home().join("work/docs/c.txt").exists(), "auto-edit, as in `run`");
}

#[test]
fn a_cancelled_turn_withdraws_its_question() {
    let hosted = asking(&["--mode", "ask"]);
    let mut stream = hosted.new_session("Write.");
    let (session, asked) = question(&mut stream);
    let id = session.unwrap();
    assert_eq!(hosted.served.send("POST", &format!("/api/sessions/{id}/cancel"), "").status, 200);
    let rest = stream.rest();
    let closed = rest.iter().find(|event| event["type"] == "question_closed").unwrap();
    assert_eq!(closed["by"], "cancel");
    assert_eq!(rest.last().unwrap()["outcome"], "interrupted");
    assert_eq!(answer(&hosted, &id, &asked, &json!({ "answer": "once" })), 404);
    assert!(!hosted.served.home().join("work/docs/b.txt").exists());
}

/// A turn in which the server of a tool asks where an issue belongs.
fn filing(args: &[&str]) -> Hosted {
    let call = Answer::call("call_1", "mcp__tracker__file", json!({}));
    let hosted = Hosted::new(Script::new().then(call).then(Answer::text("Done.")), args);
    let settings = hosted.served.home().join(".config/throughline/config.toml");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let text = format!(
        "[permissions]\nallow = [\"mcp__tracker__file\"]\n\n[mcp.servers.tracker]\ncommand = \"sh\"\nargs = [{ASKING:?}]\n"
    );
    fs::write(settings, text).unwrap();
    hosted
}

/// What the server of the tool learned, as its result.
fn learned(stream: EventReader) -> String {
    let rest = stream.rest();
    let finished = rest.iter().find(|event| event["type"] == "tool_finished");
    finished.unwrap_or_else(|| panic!("{rest:?}"))["output"].as_str().unwrap().to_owned()
}

#[test]
fn the_server_of_a_tool_asks_and_gets_values_that_fit_its_form() {
    let hosted = filing(&[]);
    let mut stream = hosted.new_session("File it.");
    let events = stream.until("elicitation");
    let (id, asked) = (events[0]["session"].as_str().unwrap(), events.last().unwrap());
    assert_eq!((&asked["server"], &asked["mode"]), (&json!("tracker"), &json!("form")), "{asked}");
    assert_eq!(asked["message"], "Where does the issue belong?");
    assert_eq!(asked["schema"]["required"], json!(["project"]), "{asked}");
    assert_eq!(hosted.served.get("/api/turns").json()["turns"][0]["questions"], json!([asked]));
    let say = |body: Value| answer(&hosted, id, asked, &body);
    assert_eq!(say(json!({ "answer": "once" })), 400);
    assert_eq!(say(json!({ "answer": "accept" })), 400, "a value is required");
    assert_eq!(say(json!({ "answer": "accept", "content": { "project": 5 } })), 400);
    assert_eq!(say(json!({ "answer": "decline", "content": {} })), 400);
    assert_eq!(say(json!({ "answer": "accept", "content": { "project": "North", "other": 1 } })), 200);
    assert_eq!(say(json!({ "answer": "accept", "content": { "project": "South" } })), 404);
    let given = learned(stream);
    assert!(given.contains("accept") && given.contains("North") && !given.contains("other"), "{given}");
}

#[test]
fn the_server_of_a_tool_learns_that_there_is_no_answer() {
    let hosted = filing(&["--answer-timeout", "1"]);
    let given = learned(hosted.new_session("File it."));
    assert!(given.contains("cancel"), "{given}");
    // Without a timeout it is not promised that it can ask, and what it asks is refused.
    let hosted = filing(&["--answer-timeout", "0"]);
    let given = learned(hosted.new_session("File it."));
    assert!(!given.contains("accept"), "{given}");
}
