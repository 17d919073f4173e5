//! `throughline watch` of a program without hooks: its bytes pass unchanged, its screen is watched.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

const ID: &str = "01a20d52-f45d-7533-bd45-3be9e38a5808";

/// A program of this script, run by the binary.
fn watched(place: &Place, options: &[&str], script: &str) -> Command {
    let program = place.folder.path().join("agent");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    place.bare(&[&["watch"], options, &["--", program.to_str().unwrap()]].concat())
}

fn events(place: &Place) -> Vec<(String, String)> {
    let file = place.folder.path().join(".local/share/throughline/watch-events.json");
    let events: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let text = |event: &Value, key: &str| event[key].as_str().unwrap().to_owned();
    events.as_array().unwrap().iter().map(|event| (text(event, "event"), text(event, "text"))).collect()
}

#[test]
fn bytes_pass_unchanged_in_both_directions() {
    let place = Place::new();
    let script = "stty raw -echo; printf '\\033[31mred\\033[0m\\033[?1000h\\033]0;t\\007\\377\\376 '; stty size; head -c 9; kill -TERM $$";
    let mut child = watched(&place, &[], script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut seen = Vec::new();
    let mut byte = [0];
    while !seen.ends_with(b"24 80\n") {
        assert_eq!(output.read(&mut byte).unwrap(), 1, "{seen:?}");
        seen.push(byte[0]);
    }
    assert_eq!(seen, b"\x1b[31mred\x1b[0m\x1b[?1000h\x1b]0;t\x07\xff\xfe 24 80\n");
    input.write_all(b"\x1b[M !!\xff\x00\x03").unwrap();
    drop(input);
    let mut rest = Vec::new();
    output.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"\x1b[M !!\xff\x00\x03");
    // As a shell says it: 128 and the signal.
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

// S1-03 S1-04 S1-05 S1-06
#[test]
fn a_compaction_on_the_screen_is_an_event_and_an_unknown_wording_is_logged() {
    let place = Place::new();
    let config = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "[watch]\npatterns = [\"squeezing history\"]\n").unwrap();
    let script = "printf 'AUTO-compacting Conversation'; sleep 0.2; printf '\\033[2J'; sleep 0.2
                  printf 'Squeezing History'; sleep 0.2; printf '\\033[2J'; sleep 0.2
                  printf 'Re-compacting \\033[1mall'; sleep 0.2; exit 3";
    let ran = run(&mut watched(&place, &[], script));
    assert_eq!((ran.code, ran.err.as_str()), (Some(3), ""), "{ran:?}");
    let expected = [
        ("compaction", "auto-compacting conversation"),
        ("compaction", "squeezing history"),
        ("unknown_wording", "Re-compacting all"),
    ];
    assert_eq!(events(&place), expected.map(|(event, text)| (event.to_owned(), text.to_owned())));
    let shown = run(&mut place.bare(&["watch", "--events"])).done();
    assert_says(
        &shown,
        &["EVENT", "compaction       squeezing history", "unknown wording  Re-compacting all"],
    );
}

/// Writes a rollout of Codex as the program would.
fn rollout(place: &Place, compacted: bool) -> String {
    let cwd = place.work().canonicalize().unwrap();
    let said = |role: &str, text: &str| json!({"type": "response_item", "payload": {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}});
    let mut lines = vec![
        json!({"type": "session_meta", "payload": {"id": ID, "cwd": cwd}}),
        said("user", "Fix the parser."),
        said("assistant", "It expects a comma."),
    ];
    if compacted {
        lines.push(json!({"type": "compacted", "payload": {"message": "They fix a parser."}}));
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let file = place.folder.path().join("rollout");
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let folder = place.folder.path().join(".codex/sessions/2026/11/24");
    fs::create_dir_all(&folder).unwrap();
    format!("cp '{}' '{}/rollout-2026-11-24T11-31-10-{ID}.jsonl'", file.display(), folder.display())
}

/// What the program has read after a paste was possible, until this time is over.
fn typed(place: &Place, compacted: bool, shown: &str) -> (String, Ran) {
    typed_after(place, &rollout(place, compacted), shown)
}

/// The same of a program that writes by this command.
fn typed_after(place: &Place, write: &str, shown: &str) -> (String, Ran) {
    let script = format!(
        "stty raw -echo; printf '\\033[?2004h> '; {write}; printf '{shown}'; sleep 0.3; printf '\\r> '
         timeout --foreground 7 cat > typed; exit 0"
    );
    let mut command = watched(place, &["--agent", "codex"], &script);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The input stays open, as that of a terminal.
    let input = child.stdin.take().unwrap();
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert!(begun.elapsed() < Duration::from_secs(60), "it never ended");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    (fs::read_to_string(place.work().join("typed")).unwrap(), ran)
}

// S1-06
#[test]
fn a_transcript_is_stored_without_any_sign_on_the_screen() {
    let place = Place::new();
    let write = rollout(&place, false);
    let ran = run(&mut watched(&place, &["--agent", "codex"], &write));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(events(&place), [("stored".to_owned(), format!("codex-{ID}"))]);
}

// S1-06 S1-07
#[test]
fn a_transcript_is_stored_on_schedule_while_the_program_runs() {
    let place = Place::new();
    let config = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "[watch]\nevery = 1\n").unwrap();
    let write = rollout(&place, false);
    let events_file = place.folder.path().join(".local/share/throughline/watch-events.json");
    // It shows nothing, and ends when it was stored, or with 3.
    let script = format!(
        "{write}\ntries=0\nuntil grep -qs '\"stored\"' '{}'; do
           tries=$((tries + 1)); [ $tries -lt 240 ] || exit 3; sleep 0.5
         done",
        events_file.display()
    );
    let ran = run(&mut watched(&place, &["--agent", "codex"], &script));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(events(&place), [("stored".to_owned(), format!("codex-{ID}"))]);
}

// S1-12
#[test]
fn an_agent_without_hooks_gets_its_context_as_a_paste_that_the_user_sends() {
    let place = Place::new();
    let (typed, ran) = typed(&place, true, "Compacting context (1s)");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert!(
        typed.starts_with("\u{1b}[200~[Previous Session Context]\nCurrent task: Fix the parser.\n"),
        "{typed:?}"
    );
    assert!(typed.ends_with("\u{1b}[201~") && !typed.contains('\r'), "{typed:?}");
    let events = events(&place);
    assert!(events.contains(&("stored".to_owned(), format!("codex-{ID}"))), "{events:?}");
    assert!(events.iter().any(|(event, _)| event == "context_typed"), "{events:?}");
}

#[test]
fn with_two_sessions_in_one_folder_nothing_is_typed() {
    let place = Place::new();
    let own = rollout(&place, true);
    // Another agent works in the same folder meanwhile.
    let other = own.replace(ID, "01a20d52-f45d-7533-bd45-3be9e38a5809");
    let (typed, ran) = typed_after(&place, &format!("{own}; {other}"), "Compacting context (1s)");
    assert_eq!((ran.code, typed.as_str()), (Some(0), ""), "{ran:?}");
    let events = events(&place);
    let said = events.iter().filter(|(_, text)| text.starts_with("several sessions of this folder")).count();
    assert_eq!(said, 1, "{events:?}");
}

#[test]
fn a_program_that_has_not_compacted_costs_no_summary() {
    let place = Place::new();
    let server = serve(Script::new().then(Answer::text("A summary.")));
    let config = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&config).unwrap();
    let settings = format!(
        "[watch]\nsummarizer = \"haiku\"\n[model]\nprovider = \"anthropic\"\nbase_url = \"{}\"\n",
        server.url()
    );
    fs::write(config.join("config.toml"), settings).unwrap();
    let write = rollout(&place, false);
    let ran = run(watched(&place, &["--agent", "codex"], &write).env("ANTHROPIC_API_KEY", "sk-test"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(events(&place), [("stored".to_owned(), format!("codex-{ID}"))]);
    assert!(server.received().is_empty(), "{:?}", server.received());
}

#[test]
fn a_program_that_shows_the_patterns_on_purpose_gets_nothing() {
    let place = Place::new();
    let (typed, ran) = typed(&place, false, "Auto-compacting conversation");
    assert_eq!((ran.code, typed.as_str()), (Some(0), ""), "{ran:?}");
    let events = events(&place);
    assert!(events.iter().any(|(event, _)| event == "compaction"), "{events:?}");
    assert!(events.iter().all(|(event, _)| event != "context_typed"), "{events:?}");
}

#[test]
fn a_terminal_that_is_closed_ends_the_program_and_what_it_has_started() {
    let place = Place::new();
    // Neither takes the hang-up.
    let script = "trap '' HUP; sleep 300 & echo $$ $!; while :; do wait; done";
    let mut child =
        watched(&place, &[], script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    let (mut seen, mut byte) = (Vec::new(), [0]);
    while !seen.ends_with(b"\n") {
        assert_eq!(output.read(&mut byte).unwrap(), 1, "{seen:?}");
        seen.push(byte[0]);
    }
    let seen = String::from_utf8(seen).unwrap();
    let pids: Vec<i32> = seen.split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    drop(output);
    assert_eq!(child.wait().unwrap().code(), Some(137));
    let is_running = |pid: &i32| {
        // One that has ended and was not waited for yet is no longer running.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
    };
    let begun = Instant::now();
    while pids.iter().any(is_running) {
        assert!(begun.elapsed() < Duration::from_secs(10), "{pids:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
