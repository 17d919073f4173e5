//! Turns over HTTP: their events, several at once, clients that leave, and what is refused.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use throughline_testserver::{Answer, ErrorKind, Script};

use crate::hosted::{Hosted, model_options};

/// An answer that takes seconds.
fn slow() -> Answer {
    Answer::text(&"word and word and ".repeat(60)).wait_each(Duration::from_millis(50))
}

/// What differs between two turns that do the same.
fn comparable(events: &[Value]) -> Vec<Value> {
    let mut events = events.to_vec();
    for event in &mut events {
        let fields = event.as_object_mut().unwrap();
        for name in ["session", "duration_ms"] {
            fields.remove(name);
        }
    }
    events
}

/// Checks that each event has the type and the fields of the OpenAPI document.
fn check_documented(hosted: &Hosted, events: &[Value]) {
    let document = hosted.served.get("/api/openapi.json").json();
    let known = document["components"]["schemas"]["TurnEvent"]["oneOf"].as_array().unwrap();
    for event in events {
        let of_type = |schema: &&Value| schema["properties"]["type"]["const"] == event["type"];
        let schema = known.iter().find(of_type).unwrap_or_else(|| panic!("the document has no {event}"));
        for (field, schema) in schema["properties"].as_object().unwrap() {
            let kinds = [&schema["type"]].into_iter().flat_map(|kind| match kind {
                Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
                kind => Vec::from_iter(kind.as_str()),
            });
            let kinds: Vec<&str> = kinds.collect();
            let kind = match &event[field] {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(number) if number.is_u64() => "integer",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            };
            let fits =
                kinds.is_empty() || kinds.contains(&kind) || kind == "integer" && kinds == ["number", "null"];
            assert!(fits, "{field}: {kind} is not one of {kinds:?} in {event}");
        }
    }
}

#[test]
fn a_turn_with_tools_has_the_events_of_run() {
    let read = || Answer::call("call_1", "read_file", json!({ "path": "a.txt" }));
    let script = Script::new().then(read()).then(Answer::text("Two lines."));
    let hosted = Hosted::new(script.then(read()).then(Answer::text("Two lines.")), &[]);
    let mut run = vec!["run".to_owned()];
    run.extend(model_options(&hosted.model.url()));
    run.extend(["--workspace", "work", "-o", "stream-json", "How long is a.txt?"].map(str::to_owned));
    let run: Vec<&str> = run.iter().map(String::as_str).collect();
    let ran = hosted.served.command(&run).stdin(Stdio::null()).output().unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    let printed: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(printed.last().unwrap()["outcome"], "done", "{printed:?}");

    let stream = hosted.new_session("How long is a.txt?");
    assert_eq!(stream.status, 200);
    assert!(stream.head.contains("content-type: text/event-stream"), "{}", stream.head);
    let mut events = stream.rest();
    // What `run` prints on standard error when it opens the session.
    let accepted = events.iter().position(|event| event["type"] == "accepted").unwrap();
    let opening: Vec<Value> = events.drain(1..accepted).collect();
    assert!(opening.iter().all(|event| event["type"] == "notice"), "{opening:?}");
    assert_eq!(comparable(&events), comparable(&printed));
    assert!(events.iter().any(|event| event["type"] == "tool_finished" && event["is_error"] == false));
    check_documented(&hosted, &events);

    let id = events[0]["session"].as_str().unwrap();
    let messages = hosted.served.get(&format!("/api/sessions/{id}/messages")).json();
    assert!(messages.to_string().contains("Two lines."), "{messages}");
}

#[test]
fn the_events_of_a_sub_agent_have_its_name() {
    let task = json!({ "agent": "explore", "title": "Read a", "prompt": "Read a.txt." });
    let script = Script::new()
        .then(Answer::call("c1", "agent", task))
        .then(Answer::call("s1", "read_file", json!({ "path": "a.txt" })))
        .then(Answer::text("alpha, beta"))
        .then(Answer::text("Done."));
    let hosted = Hosted::new(script, &[]);
    let events = hosted.new_session("Read.").rest();
    check_documented(&hosted, &events);
    let (child, own): (Vec<&Value>, Vec<&Value>) = events.iter().partition(|event| !event["agent"].is_null());
    let types: Vec<&str> = child.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!((types.first(), types.last()), (Some(&"agent_started"), Some(&"snapshot")), "{types:?}");
    for kind in ["tool_started", "tool_finished", "text", "answered", "agent_ended"] {
        assert!(types.contains(&kind), "{kind}: {types:?}");
    }
    assert!(
        child.iter().all(|event| event["agent"]["kind"] == "explore" && event["agent"]["call_id"] == "c1")
    );
    assert!(own.iter().all(|event| event["call_id"] != "s1"), "{own:?}");
}

#[test]
fn a_session_continues_with_its_next_turn_and_another_model() {
    let hosted = Hosted::new(Script::new().then(Answer::text("Fine.")).repeat_last(), &[]);
    let id = hosted.done("Go.");
    let events = hosted.turn(&id, "And on.").rest();
    assert_eq!(events.last().unwrap()["text"], "Fine.");
    let body = json!({ "prompt": "By another.", "model": "claude-haiku-4-5" }).to_string();
    let events = hosted.events("POST", &format!("/api/sessions/{id}/turns"), "", &body).rest();
    assert_eq!(events.last().unwrap()["model"], "claude-haiku-4-5", "{events:?}");
    let sent = hosted.model.received();
    let last = sent.last().unwrap();
    assert!(
        last.faults.is_empty() && last.body["messages"].as_array().unwrap().len() == 5,
        "{:?}",
        last.body
    );
    let body = json!({ "model": "claude-sonnet-4-5" }).to_string();
    let events = hosted.events("POST", &format!("/api/sessions/{id}/turns"), "", &body).rest();
    assert_eq!(events.last().unwrap()["outcome"], "nothing_to_do", "{events:?}");
}

#[test]
fn wrong_settings_models_and_keys_are_named_before_a_turn_begins() {
    let hosted = Hosted::new(Script::new().then(Answer::error(ErrorKind::Unauthorized)).repeat_last(), &[]);
    let begin = |body: Value| {
        let refused = hosted.events("POST", "/api/sessions", "", &body.to_string());
        (refused.status, refused.error())
    };
    let (status, why) = begin(json!({ "prompt": "Go.", "model": "compatible/none" }));
    assert_eq!(status, 400, "{why}");
    let folder = hosted.served.home().join(".config/throughline");
    std::fs::create_dir_all(&folder).unwrap();
    for (text, says) in
        [("[permissions]\nallow = [\"Bash(ls)\"]\n", "named \"shell\" here"), ("policy = 3\n", "policy")]
    {
        std::fs::write(folder.join("config.toml"), text).unwrap();
        let (status, why) = begin(json!({ "prompt": "Go." }));
        assert!(status == 400 && why.contains(says), "{status}: {why}");
    }
    std::fs::write(folder.join("config.toml"), "").unwrap();
    assert_eq!(hosted.served.get("/api/sessions").json()["total"], 0, "nothing is left");
    // What the provider says comes as the result, as in `run`.
    let events = hosted.new_session("Go.").rest();
    assert_eq!(events.last().unwrap()["outcome"], "unauthorized", "{events:?}");
    let misused = hosted.served.command(&["serve", "--port", "0", "--allow", "Bash(ls)"]).output().unwrap();
    assert_eq!(misused.status.code(), Some(2), "{misused:?}");
}

#[test]
fn a_client_that_leaves_stops_nothing_and_joins_again() {
    let hosted = Hosted::new(Script::new().then(slow()), &[]);
    let mut stream = hosted.new_session("Go.");
    let id = stream.until("session")[0]["session"].as_str().unwrap().to_owned();
    let before = stream.until("text").len() + 1;
    let seen = stream.id.clone();
    drop(stream);
    let path = format!("/api/sessions/{id}/events?stream=turn");
    let rest = hosted.events("GET", &path, &format!("Last-Event-ID: {seen}\r\n"), "").rest();
    assert_eq!(rest.last().unwrap()["outcome"], "done", "{rest:?}");
    assert_ne!(rest[0]["type"], "session", "only what followed");
    let whole = hosted.events("GET", &path, "", "").rest();
    assert_eq!(whole.len(), before + rest.len());
    assert_eq!(whole[before..], rest[..]);
    let text: String = whole
        .iter()
        .filter(|event| event["type"] == "text")
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert_eq!(whole.last().unwrap()["text"], text);
    let wrong = hosted.events("GET", &path, "Last-Event-ID: 12\r\n", "");
    assert_eq!(wrong.status, 400);
    // A browser connects again until it is answered that nothing follows.
    let mut again = hosted.events("GET", &path, &format!("Last-Event-ID: {seen}\r\n"), "");
    again.by_ref().for_each(drop);
    let nothing = hosted.events("GET", &path, &format!("Last-Event-ID: {}\r\n", again.id), "");
    assert_eq!(nothing.status, 204);
}

#[test]
fn a_turn_that_runs_is_not_doubled_and_a_full_server_says_when_to_ask_again() {
    let script = Script::new().then(Answer::text("Fine.")).then(slow()).repeat_last();
    let hosted = Hosted::new(script, &["--max-turns", "2"]);
    let id = hosted.done("Go.");
    let mut first = hosted.turn(&id, "Slowly.");
    first.until("text");
    let twice = hosted.turn(&id, "Again.");
    assert_eq!(twice.status, 409);
    assert!(twice.error().contains("runs a turn in this server (process "));
    let mut second = hosted.new_session("Slowly, too.");
    second.until("text");
    let refused = hosted.new_session("One too many.");
    assert_eq!(refused.status, 429);
    let wait = refused.head.lines().find_map(|line| line.strip_prefix("retry-after: ")).unwrap();
    assert!((1..=60).contains(&wait.trim().parse::<u64>().unwrap()), "{}", refused.head);
    assert!(refused.error().contains("--max-turns"));
    let turns = hosted.served.get("/api/turns").json();
    assert_eq!((&turns["total"], &turns["turns"][0]["session"]), (&json!(2), &json!(id)));
    let change = hosted.served.send("POST", &format!("/api/sessions/{id}/changes"), "{\"change\":\"undo\"}");
    assert_eq!(change.status, 409, "{}", change.body);
    let delete = format!("{{\"confirm\":\"{id}\"}}");
    let delete = hosted.served.send("DELETE", &format!("/api/sessions/{id}"), &delete);
    let compact = hosted.served.send("POST", &format!("/api/sessions/{id}/compactions"), "{}");
    let number = format!("turn {}", turns["turns"][0]["started_ms"]);
    for refused in [&change, &delete, &compact] {
        assert_eq!(refused.status, 409, "{}", refused.body);
        let (says, cancel) = ("runs a turn in this server", format!("POST /api/sessions/{id}/cancel"));
        assert!(refused.body.contains(says) && refused.body.contains(&number), "{}", refused.body);
        assert!(
            refused.body.contains(&cancel) && !refused.body.contains("another process"),
            "{}",
            refused.body
        );
    }

    // Another process is refused, too, and this server by it.
    let mut run = vec!["run".to_owned()];
    run.extend(model_options(&hosted.model.url()));
    run.extend(["--workspace", "work", "--resume", &id, "Me, too."].map(str::to_owned));
    let run: Vec<&str> = run.iter().map(String::as_str).collect();
    let ran = hosted.served.command(&run).stdin(Stdio::null()).output().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("open in another process"), "{ran:?}");
    assert_eq!(hosted.served.send("POST", &format!("/api/sessions/{id}/cancel"), "").status, 200);
    let mut running = hosted.served.command(&run).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let lock = hosted.served.data().join(format!("locks/{id}.lock"));
    while std::fs::read_to_string(&lock).unwrap_or_default().is_empty() {
        assert!(running.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(20));
    }
    let held = hosted.turn(&id, "Me again.");
    assert_eq!(held.status, 409);
    let why = held.error();
    assert!(
        why.contains(&format!("process {}", running.id())) || why.contains(&running.id().to_string()),
        "{why}"
    );
    running.kill().unwrap();
    running.wait().unwrap();
}

#[test]
fn a_client_that_does_not_read_slows_nothing_down() {
    let read = |number: usize| {
        let input = json!({ "path": "long.txt", "offset": number + 1 });
        Answer::call(&format!("call_{number}"), "read_file", input)
    };
    let script = (0..12).fold(Script::new(), |script, number| script.then(read(number)));
    let hosted = Hosted::new(script.then(Answer::text(&"word ".repeat(40_000))), &[]);
    let line = "0123456789 ".repeat(20);
    std::fs::write(hosted.served.home().join("work/long.txt"), format!("{line}\n").repeat(70)).unwrap();
    let unread = hosted.served.open("POST", "/api/sessions", "", &json!({ "prompt": "Read." }).to_string());
    hosted.wait_for_turns(1);
    hosted.wait_for_turns(0);
    let id = hosted.served.get("/api/sessions").json()["sessions"][0]["session"].as_str().unwrap().to_owned();
    let events = hosted.events("GET", &format!("/api/sessions/{id}/events?stream=turn"), "", "").rest();
    assert_eq!(events.last().unwrap()["outcome"], "done");
    drop(unread);
}

#[test]
fn two_hundred_sessions_run_side_by_side() {
    const SESSIONS: u64 = 200;
    // Long enough that most have begun before the first ends.
    let answer = Answer::text("Fine.").wait_first(Duration::from_secs(8));
    let hosted = Hosted::new(Script::new().then(answer).repeat_last(), &["--max-turns", "200"]);
    let mut most = 0;
    let ended: Vec<Vec<Value>> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..SESSIONS)
            .map(|number| (number, &hosted))
            .map(|(number, hosted)| scope.spawn(move || hosted.new_session(&format!("Say {number}.")).rest()))
            .collect();
        while !begun.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            most = most.max(hosted.served.get("/api/turns").json()["total"].as_u64().unwrap());
            std::thread::sleep(Duration::from_millis(50));
        }
        begun.into_iter().map(|turn| turn.join().unwrap()).collect()
    });
    println!("{most} turns at the same time");
    assert!(most > SESSIONS / 4, "{most}");
    for events in &ended {
        assert_eq!(events.last().unwrap()["text"], "Fine.", "{events:?}");
    }
    let all = hosted.served.get("/api/sessions?limit=200").json();
    assert_eq!(all["total"], SESSIONS);
    for session in all["sessions"].as_array().unwrap() {
        assert_eq!(session["requests"], 1, "{session}");
    }
}
