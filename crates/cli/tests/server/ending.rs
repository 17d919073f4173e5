//! How turns end before the model ends them: cancelled, stopped with the server, killed with it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::hosted::Hosted;

fn slow() -> Answer {
    Answer::text(&"word and word and ".repeat(200)).wait_each(Duration::from_millis(30))
}

/// A turn whose answer is being streamed: its session, and what has been streamed.
fn streaming(hosted: &Hosted) -> (crate::hosted::EventReader, String, Vec<Value>) {
    let mut stream = hosted.new_session("Tell me all.");
    let mut events = stream.until("text");
    events.extend(stream.until("text"));
    let id = events[0]["session"].as_str().unwrap().to_owned();
    (stream, id, events)
}

/// The text that the events of a turn have.
fn text_of(events: &[Value]) -> String {
    let texts = events.iter().filter(|event| event["type"] == "text");
    texts.filter_map(|event| event["text"].as_str()).collect()
}

#[test]
fn a_cancelled_turn_loses_nothing() {
    let hosted = Hosted::new(Script::new().then(slow()).then(Answer::text("Fine.")), &[]);
    let (stream, id, mut events) = streaming(&hosted);
    let cancelled = hosted.served.send("POST", &format!("/api/sessions/{id}/cancel"), "");
    assert_eq!(cancelled.json(), json!({ "session": id, "ended": true }), "{}", cancelled.body);
    events.extend(stream.rest());
    let result = events.last().unwrap();
    assert_eq!(
        (&result["outcome"], &result["stop"]),
        (&json!("interrupted"), &json!("cancelled")),
        "{events:?}"
    );
    let messages = hosted.served.get(&format!("/api/sessions/{id}/messages")).body;
    let said = format!("\"content\":{:?}", text_of(&events));
    assert!(messages.contains("Tell me all.") && messages.contains(&said), "{said}: {messages}");
    let again = hosted.served.send("POST", &format!("/api/sessions/{id}/cancel"), "");
    assert_eq!(again.status, 409, "{}", again.body);
    let events = hosted.turn(&id, "Shorter.").rest();
    assert_eq!(events.last().unwrap()["text"], "Fine.");
}

#[test]
fn a_server_that_is_stopped_records_its_turns() {
    let mut hosted = Hosted::new(Script::new().then(slow()).then(Answer::text("Fine.")), &[]);
    let (stream, id, mut events) = streaming(&hosted);
    assert_eq!(hosted.served.end_by("-TERM"), Some(0));
    events.extend(stream.rest());
    assert_eq!(events.last().unwrap()["outcome"], "interrupted", "{events:?}");
    let printed = hosted.served.run(&["messages", "list", &id, "--json"]);
    assert!(printed.contains("Tell me all."), "{printed}");
    let log = hosted.served.run(&["export", &id]);
    let said = format!("\"text\":{:?}", text_of(&events));
    assert!(log.contains(&said), "{said}: {log}");
}

#[test]
fn a_server_that_is_killed_loses_nothing_that_it_has_acknowledged() {
    let read = Answer::call("call_1", "read_file", json!({ "path": "a.txt" }));
    let hosted = Hosted::new(Script::new().then(read).then(slow()).then(Answer::text("Fine.")), &[]);
    let (_, id, events) = streaming(&hosted);
    let acknowledged = events.iter().rfind(|event| event["type"] == "acknowledged").unwrap();
    let acknowledged = acknowledged["seq"].as_u64().unwrap();
    let hosted = hosted.killed(&[]);
    let own = format!("/api/sessions/{id}");
    let kept = hosted.served.get(&own).json()["records"].as_u64().unwrap();
    assert!(kept >= acknowledged, "{kept} records of {acknowledged}");
    let messages = hosted.served.get(&format!("{own}/messages")).body;
    assert!(messages.contains("Tell me all.") && messages.contains("beta"), "{messages}");
    // Without a prompt the interrupted turn continues.
    let events = hosted.events("POST", &format!("{own}/turns"), "", "{}").rest();
    assert_eq!(events.last().unwrap()["text"], "Fine.", "{events:?}");
    let sent = hosted.model.received();
    assert!(sent.last().unwrap().faults.is_empty(), "{:?}", sent.last().unwrap().faults);
}

#[test]
fn a_command_that_runs_ends_with_the_server_and_its_call_is_recorded() {
    let call = Answer::call("call_1", "shell", json!({ "command": "sleep 300; touch done" }));
    let mut hosted = Hosted::new(Script::new().then(call), &["--mode", "yolo"]);
    let mut stream = hosted.new_session("Wait.");
    let mut events = stream.until("tool_started");
    let id = events[0]["session"].as_str().unwrap().to_owned();
    let begin = Instant::now();
    assert_eq!(hosted.served.end_by("-INT"), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    events.extend(stream.rest());
    assert_eq!(events.last().unwrap()["outcome"], "interrupted", "{events:?}");
    let log = hosted.served.run(&["export", &id]);
    let calls = log.lines().filter(|line| line.contains("\"call_1\"")).count();
    assert!(calls >= 2, "the call and its result: {log}");
}

#[test]
fn a_server_that_ends_its_turns_says_to_probes_and_clients_that_it_takes_no_work() {
    // The command takes a while to end.
    let command = "trap 'sleep 2; exit 1' TERM INT; touch begun; while true; do sleep 0.1; done";
    let call = Answer::call("call_1", "shell", json!({ "command": command }));
    let mut hosted = Hosted::new(Script::new().then(call), &["--mode", "yolo"]);
    let mut stream = hosted.new_session("Wait.");
    stream.until("tool_started");
    let begin = Instant::now();
    while !hosted.served.home().join("work/begun").exists() {
        assert!(begin.elapsed() < Duration::from_secs(20), "the command does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    hosted.served.signal("-TERM");
    // It ends soon, so each answer is asked for once.
    let ready = loop {
        let ready = hosted.served.get("/readyz");
        if ready.status != 200 {
            break ready;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "it is not being stopped");
    };
    assert!(ready.status == 503 && ready.body.contains("stopping"), "{} {}", ready.status, ready.body);
    assert_eq!(hosted.served.get("/healthz").status, 200);
    let refused = hosted.served.send("POST", "/api/contexts/late/open", "{\"model\":\"claude-sonnet-4-5\"}");
    assert_eq!(refused.status, 503, "{}", refused.body);
    assert_eq!(hosted.served.ended(), Some(0));
}
