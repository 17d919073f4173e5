//! Text of others on the terminal: it is shown, and never obeyed.

use std::process::Command;

use rusqlite::Connection;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};
use crate::sample::{Copy, sample};

/// Sets a title, clears the screen, writes the clipboard, starts a sequence with one C1 control, turns the
/// writing direction, and hides a letter.
const HOSTILE: &str = "Title \u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}]52;c;cm0=\u{7}\u{9b}31m\r\u{202e}left\u{200b}\u{feff}\u{7f}\tend";

fn copy() -> Copy {
    let copy = sample().copy();
    let database = Connection::open(&copy.database).unwrap();
    let insert =
        "INSERT INTO sessions (id, title, workspace, model, created_at) VALUES ('hostile', ?1, ?1, ?1, 1)";
    assert_eq!(database.execute(insert, [HOSTILE]).unwrap(), 1);
    copy
}

/// No character that a terminal would obey, but for line ends.
#[track_caller]
fn assert_harmless(text: &str) {
    let obeyed = |letter: &char| {
        (letter.is_control() && *letter != '\n') || "\u{202e}\u{200b}\u{feff}".contains(*letter)
    };
    assert_eq!(text.chars().find(obeyed), None, "{text:?}");
}

#[test]
fn a_hostile_title_is_shown_harmless() {
    let out = copy().run(&["sessions"]).done();
    assert_harmless(&out.replace('\t', " "));
    let line = out.lines().find(|line| line.starts_with("hostile")).unwrap();
    assert_says(line, &["Title \u{fffd}]0;owned"]);
}

#[test]
fn json_keeps_every_character_and_is_harmless_too() {
    let out = copy().run(&["sessions", "--json"]).done();
    assert_harmless(&out);
    let list: serde_json::Value = serde_json::from_str(&out).unwrap();
    let hostile = list.as_array().unwrap().iter().find(|session| session["session"] == "hostile").unwrap();
    assert_eq!((&hostile["title"], &hostile["workspace"]), (&HOSTILE.into(), &HOSTILE.into()));
}

#[test]
fn an_export_keeps_every_character_and_is_harmless_too() {
    let said = format!("{HOSTILE}\u{2028}\u{2029}\u{85}");
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text(&said))));
    assert_eq!(run(&mut place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["Go."])).code, Some(0));
    let file = place.work().join("log.jsonl");
    run(place.bare(&["export", "last", "-o"]).arg(&file)).done();
    let out = run(&mut place.bare(&["export", "last"])).done();
    assert_eq!(out, std::fs::read_to_string(file).unwrap());
    assert_harmless(&out);
    assert!(!out.contains(['\u{2028}', '\u{2029}']));
    let has = |value: &serde_json::Value| value["message"]["content"][0]["text"] == said.as_str();
    let records: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(records.iter().any(|record| has(record) || has(&record["body"])), "{out}");
}

#[test]
fn an_id_that_no_session_can_have_takes_nothing_down_with_it() {
    let copy = sample().copy();
    let database = Connection::open(&copy.database).unwrap();
    database
        .execute(
            "INSERT INTO sessions (id, title, workspace, model, created_at) VALUES (?1, 't', 'w', 'm', 1)",
            ["\u{1b}[2J"],
        )
        .unwrap();
    let ran = copy.run(&["sessions"]);
    assert_harmless(&ran.out);
    assert_harmless(&ran.err);
    assert!(ran.code == Some(0) && ran.out.contains(&sample().id), "{ran:?}");
}

#[test]
fn no_terminal_means_no_colours() {
    for arguments in [&["sessions"][..], &["context", "last"], &["show", "last"]] {
        let out =
            run(sample().command(arguments).env("TERM", "xterm-256color").env("CLICOLOR_FORCE", "1")).done();
        assert!(!out.contains('\u{1b}'), "{arguments:?}");
    }
}

/// What a command prints to a terminal. `script` gives it one.
#[cfg(target_os = "linux")]
fn on_a_terminal(copy: &Copy, command: &str, no_color: Option<&str>) -> String {
    let line =
        format!("'{}' --data-dir '{}' {command}", env!("CARGO_BIN_EXE_throughline"), copy.data().display());
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env_remove("NO_COLOR");
    script.env("TERM", "xterm-256color");
    if let Some(value) = no_color {
        script.env("NO_COLOR", value);
    }
    run(&mut script).done()
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_has_colours_unless_they_are_not_wanted() {
    let copy = copy();
    let colours =
        |no_color| on_a_terminal(&copy, "context last --any-folder", no_color).contains("\u{1b}[1m");
    assert!(colours(None));
    // An empty NO_COLOR says nothing (https://no-color.org).
    assert!(colours(Some("")));
    assert!(!colours(Some("1")));
    let hostile = on_a_terminal(&copy, "sessions", None);
    assert_harmless(&hostile.replace("\r\n", "\n").replace('\t', " "));
}
