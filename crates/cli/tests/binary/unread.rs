//! A run without a reader of its output: the model's work ends with it, and the exit code reports it.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use throughline_conversation::{ContentBlock, ToolCall};
use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

fn spawn(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn shell(id: &str, command: &str) -> ContentBlock {
    let input = json!({ "command": command });
    ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: "shell".to_owned(), input })
}

/// Waits until a file is there.
#[track_caller]
fn appears(file: &Path) {
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{} never came", file.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A model that has two commands run: one ends when the file `go` is there, the other one would take minutes.
fn two_commands() -> Server {
    let first = shell("c1", "touch begun; while [ ! -e go ]; do sleep 0.05; done");
    let second = shell("c2", "echo $$ > pid; exec sleep 300");
    serve(Script::new().then(Answer::blocks(vec![first, second])).then(Answer::text("Done.")))
}

#[test]
fn a_reader_that_leaves_ends_the_turn_and_its_commands() {
    let (place, server) = (Place::new(), two_commands());
    let mut child = spawn(&mut place.asks(&server, MODEL, &["-o", "stream-json", "Go."]));
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.by_ref().map(Result::unwrap).any(|line| line.contains("tool_started")));
    appears(&place.work().join("begun"));
    drop(lines);
    std::fs::write(place.work().join("go"), "").unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(141), "{out:?}");
    assert!(out.stderr.is_empty(), "{out:?}");
    if let Ok(pid) = std::fs::read_to_string(place.work().join("pid")) {
        let alive = Command::new("kill").args(["-0", pid.trim()]).stderr(Stdio::null()).status().unwrap();
        assert!(!alive.success(), "the command {pid} continues without a reader");
    }
    // The session is sound, and knows how far it came.
    let export = run(&mut place.bare(&["export", "last"])).done();
    assert_says(&export, &["touch begun"]);
    let again = run(&mut place.asks(&server, MODEL, &["-o", "json", "-c"])).json();
    assert_eq!((&again["outcome"], &again["text"]), (&json!("done"), &json!("Done.")), "{again}");
}

#[test]
fn output_without_a_reader_is_never_a_success() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Fine.")).repeat_last()));
    let cases: [(&[&str], i32); 6] = [
        (&["Go."], 141),
        (&["-o", "json", "Go."], 141),
        (&["-o", "json", "-c", "/context"], 141),
        (&["-o", "stream-json", "Go."], 141),
        // What failed for another reason keeps its code.
        (&["-o", "json", "/nonsense"], 2),
        (&["-o", "json", "--resume", "nowhere", "Go."], 1),
    ];
    for (args, code) in cases {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = place.asks(&server, MODEL, args);
        let status = command.stdin(Stdio::null()).stdout(writer).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
}

#[test]
fn a_full_disk_behind_the_output_ends_the_turn_with_an_error() {
    let (place, server) = (Place::new(), two_commands());
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = place.asks(&server, MODEL, &["-o", "stream-json", "Go."]);
    let child = command.stdin(Stdio::null()).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let out = child.wait_with_output().unwrap();
    let says = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1), "{says}");
    assert!(
        says.starts_with("error: could not write to standard output") && says.lines().count() == 1,
        "{says}"
    );
}
