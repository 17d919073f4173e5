//! Hooks: commands of the user at the events of a session, by scripts that are written for Claude Code.

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
