//! `throughline watch -- opencode`: a plugin for one run that gives the hook the session, and adds its context to requests.

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};

use crate::place::Place;
use crate::ran::{Ran, assert_says, run};

const ID: &str = "ses_df2a2ad78ffeyvDBFO20QC6Rqv";

/// Copies its plugin and its configuration, and exports the session that the test has written.
const OPENCODE: &str = r#"#!/bin/sh
if [ "$1" = export ]; then
  [ "$2" = ses_df2a2ad78ffeyvDBFO20QC6Rqv ] || exit 1
  cat "$HOME/export.json"
  exit 0
fi
printf '%s' "$OPENCODE_CONFIG_CONTENT" > config.json
plugin=$(sed 's/.*"file:\/\/\([^"]*\)".*/\1/' config.json)
cp "$plugin" plugin.js
stat -c '%a %n' "$plugin" "$(dirname "$plugin")" > modes
[ -z "$SLEEPS" ] || { echo > began; sleep 60; }
[ -z "$KILLED" ] || kill -KILL $$
exit 7
"#;

fn place() -> Place {
    let place = Place::new();
    let program = place.folder.path().join("opencode");
    fs::write(&program, OPENCODE).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    place
}

/// The binary, with the program in its path.
fn bare(place: &Place, args: &[&str]) -> Command {
    let mut command = place.bare(args);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", place.folder.path().display()));
    command
}

fn session(place: &Place, messages: &[(&str, &str)]) -> Value {
    let message = |(number, (role, text)): (usize, &(&str, &str))| {
        let time = json!({"created": 1, "completed": 2});
        let info = json!({"id": format!("msg_{number}"), "role": role, "sessionID": ID, "summary": *role == "summary", "time": time});
        let mut info = info;
        if *role == "summary" {
            info["role"] = json!("assistant");
        }
        json!({"info": info, "parts": [{"type": "text", "text": text}]})
    };
    let messages: Vec<Value> = messages.iter().enumerate().map(message).collect();
    let folder = place.work().canonicalize().unwrap();
    json!({"info": {"id": ID, "directory": folder}, "messages": messages})
}

/// Runs a command of the plugin with a payload, as it does.
fn hook(place: &Place, payload: &Value) -> Ran {
    let plugin = fs::read_to_string(place.work().join("plugin.js")).unwrap();
    let line = plugin.lines().find_map(|line| line.strip_prefix("const COMMAND = ")).unwrap();
    let command: String = serde_json::from_str(line).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    shell.env("HOME", place.folder.path()).current_dir(place.work());
    let mut child =
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

// S1-01
#[test]
fn opencode_gets_a_plugin_for_one_run_that_is_gone_after_it() {
    let place = place();
    let own = r#"{"model":"m","plugin":["mine"]}"#;
    let watch = |killed: &str| {
        let mut command = bare(&place, &["watch", "--", "opencode", "run", "hi"]);
        run(command.env("OPENCODE_CONFIG_CONTENT", own).env("KILLED", killed))
    };
    for (killed, code) in [("", 7), ("yes", 137)] {
        let ran = watch(killed);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(code), "", ""));
        let config = fs::read_to_string(place.work().join("config.json")).unwrap();
        let config: Value = serde_json::from_str(&config).unwrap();
        assert_eq!((&config["model"], &config["plugin"][0]), (&json!("m"), &json!("mine")));
        assert_eq!(config["mcp"]["throughline"]["command"][1], "mcp");
        let plugin = config["plugin"][1].as_str().unwrap().strip_prefix("file://").unwrap();
        assert!(!Path::new(plugin).exists() && !Path::new(plugin).parent().unwrap().exists(), "{plugin}");
        let modes = fs::read_to_string(place.work().join("modes")).unwrap();
        assert!(modes.starts_with("600 ") && modes.contains("\n700 "), "{modes}");
    }
    assert!(!place.folder.path().join(".config").exists(), "nothing of the user's is written");
    let mut wrong = bare(&place, &["watch", "--", "opencode"]);
    let wrong = run(wrong.env("OPENCODE_CONFIG_CONTENT", "{ // mine\n}")).failed();
    assert_says(&wrong, &["OPENCODE_CONFIG_CONTENT", "unset it"]);
}

// S1-07 S1-12 S1-13
#[test]
fn the_plugin_gives_the_session_and_gets_its_context_back() {
    let place = place();
    assert_eq!(run(&mut bare(&place, &["watch", "--", "opencode"])).code, Some(7));
    let mut messages = vec![("user", "Fix the parser."), ("assistant", "It expects a comma.")];
    let before = session(&place, &messages);
    assert_eq!(hook(&place, &json!({"hook_event_name": "PreCompact", "session": before})).done(), "");
    let resume = |messages: &[(&str, &str)]| {
        let session = session(&place, &[messages, &[("user", "Continue.")]].concat());
        let payload = json!({"hook_event_name": "SessionStart", "source": "resume", "session": session});
        hook(&place, &payload).done()
    };
    assert_eq!(resume(&messages), "", "the agent sends all of it itself");
    messages.extend([
        ("user", "Continue."),
        ("assistant", "It is fixed."),
        ("summary", "They fix a parser."),
        ("user", "Continue if you have next steps, or stop and ask for clarification if you are unsure."),
    ]);
    let after = session(&place, &messages);
    let payload = json!({"hook_event_name": "SessionStart", "source": "compact", "session": after});
    let answer = hook(&place, &payload).json();
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert_says(
        context,
        &["Current task: Fix the parser.\n", "word for word:\nContinue.\nIt was answered", ID],
    );
    let sessions = run(&mut place.bare(&["sessions", "--json"])).json();
    assert_eq!(sessions[0]["session"], format!("opencode-{ID}"));
    messages.push(("assistant", "Working."));
    assert_says(&resume(&messages), &["[Previous Session Context]"]);
    let done = session(&place, &messages);
    assert_eq!(hook(&place, &json!({"hook_event_name": "Stop", "session": done})).done(), "");
    let next = run(&mut place.bare(&["handoff", &format!("opencode-{ID}")])).done();
    assert!(next.contains("Fix the parser.") && !next.contains("Continue if"), "{next}");
    // A subagent's session, and one without messages, give nothing.
    assert_eq!(hook(&place, &json!({"hook_event_name": "Stop"})).done(), "");
    let empty = session(&place, &[]);
    assert_eq!(hook(&place, &json!({"hook_event_name": "Stop", "session": empty})).done(), "");
    let mut evil = session(&place, &messages);
    evil["info"]["id"] = json!("../../etc");
    assert_says(&hook(&place, &json!({"hook_event_name": "Stop", "session": evil})).failed(), &["has no id"]);
}

// S1-16
#[test]
fn a_session_of_opencode_is_read_by_its_own_export() {
    let place = place();
    let refresh = |name: &str| run(&mut bare(&place, &["watch", "--refresh", name]));
    let exported = session(&place, &[("user", "Fix the parser."), ("assistant", "It expects a comma.")]);
    fs::write(place.folder.path().join("export.json"), exported.to_string()).unwrap();
    let ran = refresh(&format!("opencode:{ID}"));
    assert_says(&ran.err, &["2 messages of opencode were stored"]);
    assert_says(&ran.out, &["Current task: Fix the parser.\n"]);
    let newest = run(&mut bare(&place, &["watch", "--refresh"]));
    assert_says(&newest.done(), &["Current task: Fix the parser.\n"]);
    assert_says(&refresh("opencode:ses_other").failed(), &["has no session ses_other"]);
    for evil in ["opencode:--help", "opencode:../x", "opencode:"] {
        assert_says(&refresh(evil).misused(), &["by its id"]);
    }
    let status = |name: &str| run(&mut bare(&place, &["watch", "--status", name])).done();
    let none = status(&format!("opencode:{ID}"));
    assert_eq!(none, format!("Session opencode:{ID} (by `opencode export`): compactions 0\n"));
    let choose = run(&mut bare(&place, &["resume", "--from", "opencode"])).misused();
    assert_says(&choose, &["opencode session list"]);
}

// S1-12
#[test]
fn the_status_of_opencode_says_which_answers_had_the_context_in_their_request() {
    let place = place();
    assert_eq!(run(&mut bare(&place, &["watch", "--", "opencode"])).code, Some(7));
    let mut messages = vec![("user", "Fix the parser."), ("assistant", "It expects a comma.")];
    messages.extend([("summary", "They fix a parser."), ("user", "Now test it.")]);
    let export = |messages: &[(&str, &str)]| {
        let exported = session(&place, messages);
        fs::write(place.folder.path().join("export.json"), exported.to_string()).unwrap();
        exported
    };
    // Without a name it is the newest of the folder, as for the others.
    let status = || run(&mut bare(&place, &["watch", "--status"]));
    let payload =
        json!({"hook_event_name": "SessionStart", "source": "compact", "session": export(&messages)});
    hook(&place, &payload).json();
    let report = |session: &str, message: &str| {
        let payload = json!({"hook_event_name": "ContextSent", "session_id": session, "message_id": message});
        assert_eq!(hook(&place, &payload).done(), "");
    };
    report(ID, "msg_4");
    assert_says(&status().done(), &["(by `opencode export`): compactions 1\n  1  no answer yet\n"]);
    messages.push(("assistant", "Tested."));
    export(&messages);
    assert_says(&status().done(), &["compactions 1\n  1  context delivered\n"]);
    messages.extend([("summary", "They tested."), ("user", "Go."), ("assistant", "Gone.")]);
    export(&messages);
    let shown = status();
    assert_eq!(shown.code, Some(1), "{shown:?}");
    assert_says(&shown.out, &["compactions 2\n  1  context delivered\n  2  context not delivered\n"]);
    messages.extend([("user", "Again."), ("assistant", "Done.")]);
    export(&messages);
    report(ID, "msg_9");
    assert_says(&status().done(), &["  2  context delivered with a later message of the user\n"]);
    let list = run(&mut place.bare(&["watch", "--list"])).done();
    assert_says(&list, &[&format!("opencode:{ID}"), &format!("opencode-{ID}"), "1 given", "Fix the parser."]);
    // What was reported goes with the session, and nothing is noted of one that is not stored.
    let reports = place.folder.path().join(".local/share/throughline/sent-contexts");
    assert!(fs::read_dir(&reports).unwrap().count() > 0);
    run(&mut place.bare(&["sessions", "delete", &format!("opencode-{ID}"), "--yes"])).done();
    report(ID, "msg_9");
    report("ses_other", "msg_9");
    assert_eq!(fs::read_dir(&reports).unwrap().count(), 0);
    let evil = json!({"hook_event_name": "ContextSent", "session_id": "../x", "message_id": "m"});
    hook(&place, &evil).failed();
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next_one_and_what_a_running_one_needs_stays() {
    let place = place();
    let temporary = place.folder.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let folders = || {
        let entries = fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().file_name());
        entries.filter(|name| name.to_string_lossy().starts_with("throughline-temp-")).collect::<Vec<_>>()
    };
    let watch = || {
        let mut command = bare(&place, &["watch", "--", "opencode"]);
        command.env("TMPDIR", &temporary);
        command
    };
    let began = place.work().join("began");
    let start = || {
        let mut command = watch();
        command.env("SLEEPS", "1").stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
        let child = command.spawn().unwrap();
        while !began.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        fs::remove_file(&began).unwrap();
        child
    };
    let end = |mut child: Child| {
        // With what it has started.
        kill_process_group(Pid::from_child(&child), Signal::KILL).unwrap();
        child.wait().unwrap();
    };
    // Folders of others are removed while the agent runs.
    let only_new = |old: &OsString| {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let there = folders();
            if there.len() == 1 && !there.contains(old) {
                return there;
            }
            assert!(Instant::now() < until, "{there:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    end(start());
    let left = folders();
    assert_eq!(left.len(), 1, "{left:?}");
    let running = start();
    let mine = only_new(&left[0]);
    assert_eq!(run(&mut watch()).code, Some(7));
    assert_eq!(folders(), mine, "the other one still runs");
    end(running);
    let last = start();
    only_new(&mine[0]);
    end(last);
}
