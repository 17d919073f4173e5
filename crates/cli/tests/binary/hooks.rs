//! Hooks: commands of the user at the events of a session, by scripts that are written for Claude Code.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

use crate::permitted::{MODEL, results};
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

/// A place with this `hooks.json` of the user, and scripts in the workspace.
fn place(hooks: &Value, scripts: &[(&str, &str)]) -> Place {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("hooks.json"), json!({ "hooks": hooks }).to_string()).unwrap();
    for (name, text) in scripts {
        let path = place.work().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    place
}

/// Prints a text field of the object on standard input.
const FIELD: (&str, &str) = ("field", r#"sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p""#);

fn one(event: &str, matcher: &str, command: &str) -> Value {
    json!({ event: [{ "matcher": matcher, "hooks": [{ "type": "command", "command": command }] }] })
}

fn asked(place: &Place, server: &Server, prompt: &str) -> Ran {
    run(&mut place.asks(server, MODEL, &[prompt]))
}

fn call_and_done(name: &str, input: Value) -> Server {
    serve(Script::new().then(Answer::call("c1", name, input)).then(Answer::text("Done.")))
}

/// The text of everything that the last request holds.
fn last(server: &Server) -> String {
    server.received().last().unwrap().body.to_string()
}

#[test]
fn a_script_that_reads_the_command_declines_a_call() {
    // Exit status 2 with the reason on standard error, as a widely used script does.
    let script = "command=$(./field command)\ncase \"$command\" in\n  grep*) echo 'Use rg instead of grep' >&2; exit 2;;\nesac";
    let place = place(&one("PreToolUse", "Bash", "./check.sh"), &[("check.sh", script), FIELD]);
    let server = call_and_done("shell", json!({ "command": "grep -r alpha . > found" }));
    let ran = asked(&place, &server, "Look for alpha.");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&results(&server), &["was not run; a hook declined it: Use rg instead of grep"]);
    assert!(!place.work().join("found").exists(), "the command ran");
    let server = call_and_done("shell", json!({ "command": "echo fine" }));
    asked(&place, &server, "Say fine.");
    assert_says(&results(&server), &["fine\\n[exit status: 0]"]);
}

#[test]
fn a_hook_changes_arguments_and_the_model_sees_what_ran() {
    let answer = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"echo changed"}}}"#;
    let hooks = one("PreToolUse", "Bash", &format!("cat > /dev/null; echo '{answer}'"));
    let place = place(&hooks, &[]);
    let server = call_and_done("shell", json!({ "command": "echo original" }));
    asked(&place, &server, "Go.");
    let results = results(&server);
    assert!(results.contains("changed\\n[exit status: 0]") && !results.contains("original\\n"), "{results}");
}

#[test]
fn what_hooks_say_after_an_edit_and_at_a_message_reaches_the_model() {
    let hooks = json!({
        "SessionStart": [{ "hooks": [{ "type": "command", "command": "echo branch main" }] }],
        "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": "echo asked: $(./field prompt)" }] }],
        "PostToolUse": [{ "matcher": "Edit|Write", "hooks": [{ "type": "command", "command": "./lint.sh" }] }],
        "SessionEnd": [{ "hooks": [{ "type": "command", "command": "./field reason > ended" }] }],
    });
    let lint =
        "path=$(./field file_path)\ntest -s \"$path\" && echo \"$path has no final newline\" >&2 && exit 2";
    let place = place(&hooks, &[("lint.sh", lint), FIELD]);
    let server = call_and_done("write_file", json!({ "path": "b.txt", "content": "x" }));
    let ran = asked(&place, &server, "Write b.");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let body = last(&server);
    assert_says(
        &body,
        &[
            "<hook event=\\\"SessionStart\\\">\\nbranch main\\n</hook>",
            "<hook event=\\\"UserPromptSubmit\\\">\\nasked: Write b.\\n</hook>",
            "b.txt has no final newline",
        ],
    );
    assert_eq!(fs::read_to_string(place.work().join("ended")).unwrap(), "other\n");
}

#[test]
fn a_declined_message_is_not_sent_and_its_reason_is_shown() {
    let place = place(&one("UserPromptSubmit", "", "echo 'it names a secret' >&2; exit 2"), &[]);
    let server = serve(Script::new().then(Answer::text("Done.")));
    let ran = asked(&place, &server, "The key is 123.");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.err, &["a hook declined the message: it names a secret"]);
    assert!(server.received().is_empty(), "nothing is sent");
}

#[test]
fn a_stop_hook_lets_the_model_continue_once_and_reads_the_transcript() {
    let stop = "input=$(cat)\ncase \"$input\" in *'\"stop_hook_active\":true'*) exit 0;; esac\n\
                path=$(echo \"$input\" | ./field transcript_path)\n\
                echo \"rows: $(grep -c '\"type\":' \"$path\"), first: $(head -1 \"$path\" | ./field text)\" >&2; exit 2";
    let place = place(&one("Stop", "", "./stop.sh"), &[("stop.sh", stop), FIELD]);
    let server = serve(Script::new().then(Answer::text("First.")).then(Answer::text("Second.")));
    let ran = asked(&place, &server, "Begin here.");
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Second."), "{ran:?}");
    assert_says(&last(&server), &["<hook event=\\\"Stop\\\">\\nrows: 2, first: Begin here.\\n</hook>"]);
    assert_eq!(server.received().len(), 2);
    assert_says(&ran.err, &["a hook of Stop lets the model continue: rows: 2, first: Begin here."]);
}

#[test]
fn a_stop_hook_that_always_objects_is_heard_five_times_without_a_call_in_between() {
    let place = place(&one("Stop", "", "./stop.sh"), &[("stop.sh", "echo 'tests fail' >&2; exit 2")]);
    let server = serve(
        Script::new()
            .then(Answer::text("First."))
            .then(Answer::call("c1", "shell", json!({ "command": "echo ran" })))
            .then(Answer::text("Done."))
            .repeat_last(),
    );
    let ran = asked(&place, &server, "Fix the tests.");
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Done."), "{ran:?}");
    assert_eq!(server.received().len(), 2 + 1 + 5);
    let ended = "the turn ends: the hook of Stop `./stop.sh` (";
    assert_says(&ran.err, &[ended, "let the model continue 5 times in a row, and it made no call"]);
}

#[test]
fn a_hook_that_ends_the_turn_at_a_call_is_no_interruption() {
    let stop = r#"echo '{"continue": false, "stopReason": "enough for today"}'"#;
    let place = place(&one("PreToolUse", "Bash", stop), &[]);
    let server = call_and_done("shell", json!({ "command": "touch made" }));
    let ran = run(&mut place.asks(&server, MODEL, &["--output", "json", "Make it."]));
    assert_eq!((ran.code, server.received().len()), (Some(0), 1), "{ran:?}");
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&result["outcome"], &result["text"]),
        (&json!("stopped_by_hook"), &json!("enough for today"))
    );
    assert!(!place.work().join("made").exists(), "the command ran");
    let server = serve(Script::new().then(Answer::text("Continued.")));
    run(&mut place.asks(&server, MODEL, &["--resume", "last", "Continue."])).done();
    assert_says(&last(&server), &["was not run: a hook ended the turn: enough for today"]);
    assert!(!last(&server).contains("The turn was stopped here"), "{}", last(&server));
}

#[test]
fn a_task_that_a_hook_ends_is_not_done() {
    let stop = r#"echo '{"continue": false, "stopReason": "enough for today"}'"#;
    let place =
        place(&one("PreToolUse", "Bash", stop), &[("task.md", "# Two files\n\n- [ ] one\n- [ ] two\n")]);
    let server = call_and_done("shell", json!({ "command": "touch made" }));
    let ran = run(&mut place.asks(&server, MODEL, &["--output", "json", "--task", "task.md"]));
    assert_eq!((ran.code, server.received().len()), (Some(1), 1), "{ran:?}");
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&result["outcome"], &result["is_error"], &result["task"]["iterations"]),
        (&json!("stopped_by_hook"), &json!(true), &json!(1)),
        "{result}"
    );
}

#[test]
fn a_hook_that_asks_where_there_is_no_user_gives_its_reason_and_no_advice() {
    let ask = r#"echo '{"hookSpecificOutput": {"permissionDecision": "ask", "permissionDecisionReason": "it deploys"}}'"#;
    let place = place(&one("PreToolUse", "Bash", ask), &[]);
    let server = call_and_done("shell", json!({ "command": "touch made" }));
    asked(&place, &server, "Deploy.");
    let said = results(&server);
    assert_says(&said, &["a hook asks for the user's consent (it deploys)", "this session has no user"]);
    assert!(!said.contains("yolo") && !said.contains("[permissions]"), "{said}");
}

#[test]
fn what_a_formatter_makes_of_an_edit_belongs_to_the_edit() {
    let format = "sed -i 's/  */ /g' a.txt";
    let place = place(&one("PostToolUse", "Edit|Write", format), &[]);
    fs::write(place.work().join("a.txt"), "one  two\n").unwrap();
    let edit = |id: &str, old: &str, new: &str| {
        Answer::call(id, "edit_file", json!({ "path": "a.txt", "old_string": old, "new_string": new }))
    };
    let script = Script::new()
        .then(Answer::call("c1", "read_file", json!({ "path": "a.txt" })))
        .then(edit("c2", "two", "two   three"))
        .then(edit("c3", "three", "four"))
        .then(Answer::text("Done."));
    let server = serve(script);
    let ran = asked(&place, &server, "Go.");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let content = || fs::read_to_string(place.work().join("a.txt")).unwrap();
    assert_eq!(content(), "one two four\n");
    assert_says(&results(&server), &["A hook changed a.txt after this call", "+one two three"]);
    let undone = run(&mut place.bare(&["run", "-c", "/undo --files"]));
    assert_eq!((undone.code, content().as_str()), (Some(0), "one  two\n"), "{undone:?}");
}

#[test]
fn a_hook_that_fails_or_hangs_is_named_and_the_session_continues() {
    let hooks = json!({ "PreToolUse": [{ "matcher": "*", "hooks": [
        { "type": "command", "command": "./missing.sh" },
        { "type": "command", "command": "sleep 30", "timeout": 0.2 },
        { "type": "command", "command": "echo '{broken'" },
    ] }] });
    let place = place(&hooks, &[]);
    let server = call_and_done("shell", json!({ "command": "echo fine" }));
    let ran = asked(&place, &server, "Go.");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&results(&server), &["fine"]);
    assert_says(
        &ran.err,
        &["`./missing.sh`", "exited with status 127", "`sleep 30`", "was ended after 0.2 s", "broken JSON"],
    );
}

#[test]
fn a_broken_file_of_hooks_is_an_error_with_its_place() {
    let place = place(&json!({ "PreTool": [] }), &[]);
    let server = serve(Script::new().then(Answer::text("Done.")));
    let ran = asked(&place, &server, "Go.");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.err, &["hooks.json: hooks.PreTool: there is no such event; there are: SessionStart"]);
    assert!(server.received().is_empty());
}

#[test]
fn hooks_of_a_project_run_once_it_is_trusted_and_in_the_sandbox() {
    let place = Place::new();
    fs::create_dir(place.work().join(".claude")).unwrap();
    let outside = place.folder.path().join("outside");
    let command = format!("echo ran > inside; echo ran > {}", outside.display());
    let settings =
        json!({ "permissions": { "allow": ["Bash(ls)"] }, "hooks": one("UserPromptSubmit", "", &command) });
    let file = place.work().join(".claude/settings.json");
    fs::write(&file, settings.to_string()).unwrap();
    let server = serve(Script::new().then(Answer::text("Done.")).repeat_last());
    let ran = asked(&place, &server, "Go.");
    assert_says(&ran.err, &["not trusted", "the hook UserPromptSubmit", "it runs `echo ran > inside"]);
    assert!(!place.work().join("inside").exists(), "an untrusted project's hook ran");
    assert_eq!(run(&mut place.bare(&["trust"])).code, Some(0));
    asked(&place, &server, "Go.");
    assert_eq!(fs::read_to_string(place.work().join("inside")).unwrap(), "ran\n");
    assert!(!outside.exists(), "it wrote outside of the sandbox");
    // What else Claude Code writes into the file does not matter, another hook does.
    fs::write(&file, settings.to_string().replace("Bash(ls)", "Bash(cat)")).unwrap();
    let ran = asked(&place, &server, "Go.");
    assert!(!ran.err.contains("not trusted"), "{ran:?}");
    fs::write(&file, settings.to_string().replace("inside", "other")).unwrap();
    let ran = asked(&place, &server, "Go.");
    assert_says(&ran.err, &["not trusted", "other"]);
    assert!(!place.work().join("other").exists());
}

#[test]
fn hooks_run_after_a_compaction_and_speak_before_the_next_request() {
    let hooks = json!({
        "PreCompact": [{ "matcher": "auto", "hooks": [{ "type": "command", "command": "./field trigger >> log" }] }],
        "PostCompact": [{ "hooks": [{ "type": "command", "command": "./field hook_event_name >> log" }] }],
        "SessionStart": [{ "matcher": "compact", "hooks": [{ "type": "command", "command": "echo remember the milk" }] }],
    });
    let place = place(&hooks, &[FIELD]);
    fs::write(place.work().join("big.txt"), "lorem ipsum dolor sit amet\n".repeat(700)).unwrap();
    let mut script = Script::new();
    for step in 0..8 {
        script = script.then(Answer::call(
            &format!("c{step}"),
            "shell",
            json!({ "command": format!("echo {step}; head -{} big.txt", 300 + step) }),
        ));
    }
    let server = serve(script.then(Answer::text("Done.")).repeat_last());
    let ran = run(&mut place.asks(&server, MODEL, &["--window", "20000", "Read all."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let log = fs::read_to_string(place.work().join("log")).unwrap();
    assert!(log.starts_with("auto\nPostCompact\n"), "{log}");
    assert_says(&last(&server), &["<hook event=\\\"SessionStart\\\">\\nremember the milk\\n</hook>"]);
}

#[test]
fn a_model_judges_an_event_and_what_it_costs_is_in_the_log() {
    let hooks = json!({ "Stop": [{ "hooks": [
        { "type": "prompt", "prompt": "Were the tests run? $ARGUMENTS" }
    ] }] });
    let place = place(&hooks, &[]);
    let server = serve(
        Script::new()
            .then(Answer::text("I am done."))
            .then(Answer::text(r#"{"ok": false, "reason": "no test was run"}"#))
            .then(Answer::text("The tests pass."))
            .then(Answer::text(r#"{"ok": true}"#)),
    );
    let ran = asked(&place, &server, "Fix it.");
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "The tests pass."), "{ran:?}");
    let bodies = server.received();
    assert_eq!(bodies.len(), 4, "{ran:?}");
    let judged = bodies[1].body.to_string();
    assert_says(&judged, &["You judge one event", "Were the tests run? {", "I am done.", "Stop"]);
    assert!(
        bodies[1].body.get("tools").is_none_or(|tools| tools.as_array().is_none_or(Vec::is_empty)),
        "{judged}"
    );
    assert_says(&bodies[2].body.to_string(), &["<hook event=\\\"Stop\\\">\\nno test was run\\n</hook>"]);
    let mut export = place.bare(&["export", "last"]);
    let records = run(&mut export).out;
    assert_eq!(records.matches("\"spent\"").count(), 2, "each judgement is recorded: {records}");
}

#[test]
fn a_judge_that_gives_no_judgement_stops_nothing_and_is_named() {
    let hooks = json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "prompt", "prompt": "Is it safe?" }] }] });
    let place = place(&hooks, &[]);
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "shell", json!({ "command": "echo ran" })))
            .then(Answer::text("It depends."))
            .then(Answer::text("Done.")),
    );
    let ran = asked(&place, &server, "Go.");
    assert_says(&results(&server), &["ran\\n[exit status: 0]"]);
    assert_says(&ran.err, &["the hook of PreToolUse `Is it safe?`", "gave no judgement"]);
}

/// A server of HTTP that answers each request with this body, and the requests that it got.
fn http(status: &str, body: &str) -> (String, std::sync::mpsc::Receiver<String>) {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let (sent, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut text, mut part) = (String::new(), [0; 4096]);
            while !text.contains("\r\n\r\n") || !text.trim_end().ends_with('}') {
                let count = stream.read(&mut part).unwrap();
                if count == 0 {
                    break;
                }
                text.push_str(&String::from_utf8_lossy(&part[..count]));
            }
            stream.write_all(answer.as_bytes()).unwrap();
            let _ = sent.send(text);
        }
    });
    (url, received)
}

#[test]
fn an_event_is_sent_and_the_answer_decides() {
    let denied = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not today"}}"#;
    let (url, requests) = http("200 OK", denied);
    let hooks = json!({ "PreToolUse": [{ "matcher": "Bash", "hooks": [
        { "type": "http", "url": url, "headers": { "X-Token": "Bearer $HOOK_TOKEN" }, "allowedEnvVars": ["HOOK_TOKEN"] }
    ] }] });
    let place = place(&hooks, &[]);
    let server = call_and_done("shell", json!({ "command": "echo ran > ran" }));
    let ran = run(place.asks(&server, MODEL, &["Go."]).env("HOOK_TOKEN", "t0ken"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&results(&server), &["a hook declined it: not today"]);
    assert!(!place.work().join("ran").exists(), "the command ran");
    let request = requests.try_recv().unwrap();
    assert_says(
        &request,
        &["POST /hook", "Bearer t0ken", "\"hook_event_name\":\"PreToolUse\"", "echo ran > ran"],
    );
}

#[test]
fn a_request_that_fails_or_may_not_be_sent_is_named_and_stops_nothing() {
    let (url, _requests) = http("500 Internal Server Error", "{}");
    let place = place(&json!({ "PreToolUse": [{ "hooks": [{ "type": "http", "url": url }] }] }), &[]);
    let server = call_and_done("shell", json!({ "command": "echo ran" }));
    let ran = asked(&place, &server, "Go.");
    assert_says(&ran.err, &["the server answered with status 500", "the session continues without it"]);
    assert_says(&results(&server), &["ran\\n[exit status: 0]"]);
    // A project's hook reaches public addresses and what the user allows, as the tool fetch does.
    let (url, requests) = http("200 OK", "");
    let folder = place.work().join(".throughline");
    fs::create_dir_all(&folder).unwrap();
    let hooks = json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "http", "url": url }] }] } });
    fs::write(folder.join("hooks.json"), hooks.to_string()).unwrap();
    fs::remove_file(place.folder.path().join(".config/throughline/hooks.json")).unwrap();
    assert_eq!(run(&mut place.bare(&["trust"])).code, Some(0));
    let server = call_and_done("shell", json!({ "command": "echo ran" }));
    let ran = asked(&place, &server, "Go.");
    assert_says(&ran.err, &["which is not fetched: only public addresses are"]);
    assert!(requests.try_recv().is_err(), "it was sent");
}

#[test]
fn a_sub_agent_begins_once_for_hooks_also_when_its_title_was_used_before() {
    let hook = json!({
        "SubagentStart": [{ "hooks": [{ "type": "command", "command": "./field agent_id >> begun" }] }],
        "SubagentStop": [{ "hooks": [{ "type": "command", "command": "cat >> stopped" }] }],
        "Stop": [{ "hooks": [{ "type": "command", "command": "cat > end" }] }],
    });
    let place = place(&hook, &[FIELD]);
    let task = |prompt: &str| json!({ "agent": "explore", "title": "Review module", "prompt": prompt });
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "agent", task("Review a.txt.")))
            .then(Answer::text("It is fine."))
            .then(Answer::call("c2", "agent", task("Review b.txt.")))
            .then(Answer::text("It is fine, too."))
            .then(Answer::text("Done.")),
    );
    let ran = asked(&place, &server, "Review.");
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "Done."), "{ran:?}");
    let begun = fs::read_to_string(place.work().join("begun")).unwrap();
    let ids: BTreeSet<&str> = begun.lines().collect();
    assert_eq!((begun.lines().count(), ids.len()), (2, 2), "{begun}");
    let objects = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(place.work().join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (stopped, end) = (objects("stopped"), &objects("end")[0]);
    for (object, id) in stopped.iter().zip(begun.lines()) {
        // A script files what it is given under the session of the user.
        assert_eq!(object["session_id"], end["session_id"]);
        assert_eq!((&object["agent_id"], &object["agent_type"]), (&json!(id), &json!("explore")));
        let (of_session, of_agent) = (&object["transcript_path"], &object["agent_transcript_path"]);
        assert!(of_session.to_string().contains(end["session_id"].as_str().unwrap()), "{object}");
        assert!(of_agent.to_string().contains(id), "{object}");
    }
    assert_eq!((stopped.len(), &end["agent_id"]), (2, &Value::Null));
}

#[test]
fn a_hook_in_the_background_speaks_with_the_next_message() {
    let hooks = json!({ "PostToolUse": [{ "matcher": "Bash", "hooks": [
        { "type": "command", "command": "cat > seen; echo '{\"hookSpecificOutput\":{\"additionalContext\":\"the build is green\"}}'; echo > done", "async": true }
    ] }] });
    let place = place(&hooks, &[]);
    let server = call_and_done("shell", json!({ "command": "echo ran" }));
    let ran = asked(&place, &server, "Go.");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // The end of the run has waited for it; no request of this turn has its text.
    assert!(place.work().join("done").exists(), "it was ended");
    assert!(!last(&server).contains("the build is green"), "{}", last(&server));
    assert!(fs::read_to_string(place.work().join("seen")).unwrap().contains("PostToolUse"));
}
