//! The commands that look at a session.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use tempfile::TempDir;
use throughline_conversation::{Record, RecordBody};
use throughline_wire::validate;

use crate::program::throughline;
use crate::ran::{assert_says, run};
use crate::sample::sample;

#[test]
fn sessions_lists_the_session() {
    let demo = sample();
    let out = demo.run(&["sessions"]).done();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    let headers: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(headers, ["SESSION", "AGE", "TURNS", "REQUESTS", "COST", "RECORDS", "FOLDER", "TITLE"]);
    assert!(lines[1].starts_with(&demo.id), "{out}");
    assert_says(lines[1], &["Customers say that some invoices"]);
    // Columns of text begin where their header does, those of numbers end there.
    let column = |line: &str, word: &str| line.split(word).next().unwrap().chars().count();
    assert_eq!(column(lines[1], "Customers"), column(lines[0], "TITLE"), "{out}");
}

#[test]
fn sessions_as_json_agrees_with_the_log() {
    let demo = sample();
    let list = demo.run(&["sessions", "--json"]).json();
    let session = &list.as_array().unwrap()[0];
    assert_eq!(session["session"], demo.id.as_str());
    assert_eq!(session["model"], "demo-script");
    assert_eq!(session["exchanges"], 3);
    assert_eq!(session["workspace"], demo.project.canonicalize().unwrap().display().to_string());
    let log = demo.export();
    assert_eq!(session["records"], log.lines().count());
    assert_eq!(session["requests"], log.lines().filter(|line| line.contains(r#""kind":"receipt""#)).count());
    assert!(session["created_ms"].as_i64() <= session["last_activity_ms"].as_i64());
}

#[test]
fn without_a_session_it_says_how_to_get_one() {
    let folder = TempDir::new().unwrap();
    let data = folder.path();
    assert_says(&run(throughline(data).arg("sessions")).done(), &["No sessions yet.", "throughline demo"]);
    assert_eq!(run(throughline(data).args(["sessions", "--json"])).done(), "[]\n");
    for command in ["context", "show", "export"] {
        let says = run(throughline(data).args([command, "last"])).failed();
        assert_says(&says, &["there is no session yet", "`throughline` starts one"]);
    }
}

#[test]
fn context_shows_what_fills_the_window() {
    let demo = sample();
    let out = demo.run(&["context", "last"]).done();
    assert_says(
        &out,
        &[&demo.id, "window 20,000 tokens: 2,000 reserved for output", "LARGEST ITEMS", "COMPONENT"],
    );
    let report = demo.run(&["context", &demo.id, "--json"]).json();
    let window = &report["window"];
    assert_eq!((&window["total"], &window["reserved_output"]), (&20_000.into(), &2_000.into()));
    let used: u64 = window["used"].as_object().unwrap().values().map(|tokens| tokens.as_u64().unwrap()).sum();
    assert!((1_000..18_000).contains(&used), "{used}");
    assert!(report["compactions"].as_u64() > Some(0));
    // The table shows the same figures.
    let of = |name: &str| throughline_text::group_thousands(window["used"][name].as_u64().unwrap());
    for (label, name) in [("system prompt", "system"), ("tools", "tools"), ("conversation", "conversation")] {
        let line = out.lines().find(|line| line.starts_with(label)).unwrap();
        assert_says(line, &[&of(name)]);
    }
}

#[test]
fn looking_at_a_session_writes_nothing_to_it() {
    let copy = sample().copy();
    let before = copy.run(&["export", "last"]).done();
    for look in [
        &["sessions"][..],
        &["context", "last"],
        &["context", "last", "show"],
        &["show", "last"],
        &["export", "last"],
        &["messages", "list", "last"],
        &["messages", "show", "last", "1"],
        &["diff", "last"],
        &["summaries", "last"],
        &["scratchpad", "last", "history"],
        &["state", "last"],
    ] {
        copy.run(look).done();
    }
    assert_eq!(copy.run(&["export", "last"]).done(), before);
}

#[test]
fn show_gives_each_request_and_each_is_valid() {
    let demo = sample();
    let log = demo.export();
    let receipts: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|record| record["body"]["kind"] == "receipt")
        .collect();
    assert!(receipts.len() > 15);
    for (number, record) in (1_u64..).zip(&receipts) {
        let shown = demo.run(&["show", &demo.id, "--request", &number.to_string(), "--receipt"]).json();
        let faults = validate::anthropic(&shown["request"]);
        assert!(faults.is_empty(), "request {number}: {faults:?}");
        let mut receipt = record["body"].clone();
        receipt.as_object_mut().unwrap().remove("kind");
        assert_eq!(shown["receipt"], receipt, "request {number}");
    }
    let last = demo.run(&["show", "last"]).json();
    assert_eq!(last, demo.run(&["show", "last", "--request", &receipts.len().to_string()]).json());
    // The first request: the user's first message and nothing else.
    let first = demo.run(&["show", &demo.id, "--request", "1"]).json();
    assert_eq!(first["messages"].as_array().unwrap().len(), 1);
    assert!(first["messages"][0].to_string().contains("Customers say that some invoices"));
}

#[test]
fn a_request_that_was_never_sent_is_an_error() {
    let demo = sample();
    for number in ["0", "999", "18446744073709551615"] {
        let says = demo.run(&["show", &demo.id, "--request", number]).failed();
        assert_says(&says, &[&format!("the session has no request {number}; it has requests 1 to ")]);
    }
}

#[test]
fn export_gives_one_record_a_line() {
    let log = sample().export();
    assert!(log.ends_with('\n'));
    let mut kinds = std::collections::BTreeSet::new();
    for (place, line) in (1_u64..).zip(log.lines()) {
        let record: Record = serde_json::from_str(line).unwrap();
        assert_eq!(record.seq.0, place);
        assert_eq!(serde_json::to_string(&record).unwrap(), line);
        kinds.insert(match record.body {
            RecordBody::Degraded(note) => panic!("something failed: {note:?}"),
            body => body.kind(),
        });
    }
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["edit", "files", "message", "model", "prompt", "receipt", "settled", "tools"]
    );
}

#[test]
fn export_to_a_file_is_the_same_and_for_its_owner_alone() {
    let demo = sample();
    let folder = TempDir::new().unwrap();
    let (new, old) = (folder.path().join("new.jsonl"), folder.path().join("old.jsonl"));
    fs::write(&old, "what was here before".repeat(100_000)).unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o644)).unwrap();
    for (file, option) in [(&new, "-o"), (&old, "--output")] {
        let out = run(demo.command(&["export", "last", option]).arg(file)).done();
        assert_eq!(out, "");
        assert_eq!(fs::read_to_string(file).unwrap(), demo.export());
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn export_to_a_place_that_takes_nothing_is_an_error() {
    let demo = sample();
    let folder = TempDir::new().unwrap();
    let nowhere = folder.path().join("none/log.jsonl");
    for place in [nowhere.as_path(), folder.path(), "/dev/full".as_ref()] {
        let says = run(demo.command(&["export", "last", "-o"]).arg(place)).failed();
        assert_says(&says, &["could not write", &place.display().to_string()]);
    }
}

#[test]
fn export_never_overwrites_the_database() {
    let copy = sample().copy();
    let before = fs::read(&copy.database).unwrap();
    let detour = copy.data().join("locks/../throughline.db");
    for path in [&copy.database, &detour] {
        let says = run(throughline(copy.data()).args(["export", "last", "-o"]).arg(path)).failed();
        assert_says(&says, &["is the database; name another file"]);
    }
    assert_eq!(fs::read(&copy.database).unwrap(), before);
}
