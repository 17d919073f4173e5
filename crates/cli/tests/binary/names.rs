//! How a session is named on the command line.

use rusqlite::Connection;

use crate::ran::assert_says;
use crate::sample::{Copy, sample};

/// The demo's database with more sessions, which have sent nothing.
fn several(ids: &[&str]) -> Copy {
    let copy = sample().copy();
    let database = Connection::open(&copy.database).unwrap();
    for id in ids {
        let insert = "INSERT INTO sessions (id, title, workspace, model, created_at)
         VALUES (?1, 'title', '/folder', 'model', 1)";
        assert_eq!(database.execute(insert, [id]).unwrap(), 1);
    }
    copy
}

const COMMANDS: [&str; 3] = ["context", "show", "export"];

#[test]
fn an_unknown_name_is_named_in_the_error() {
    for command in COMMANDS {
        let says = sample().run(&[command, "missing"]).failed();
        assert_says(&says, &["there is no session \"missing\"", "throughline sessions"]);
    }
}

#[test]
fn the_start_of_an_id_will_do() {
    let (demo, copy) = (sample(), several(&["work-1", "work-12"]));
    let start = throughline_text::cut_end(&demo.id, demo.id.len() - 1);
    assert_eq!(copy.run(&["export", start]).done(), demo.export());
    assert_eq!(copy.run(&["export", "last"]).done(), demo.export());
    // A whole id wins over the start of a longer one.
    assert_eq!(copy.run(&["export", "work-1"]).done(), "");
}

#[test]
fn a_start_that_several_ids_have_is_refused() {
    let copy = several(&["work-1", "work-2"]);
    for command in COMMANDS {
        let says = copy.run(&[command, "work"]).failed();
        assert_says(&says, &["several sessions begin with \"work\"; write more of the id"]);
    }
}

#[test]
fn a_session_that_sent_nothing_has_nothing_to_show() {
    let copy = several(&["idle"]);
    for command in ["context", "show"] {
        assert_says(&copy.run(&[command, "idle"]).failed(), &["session idle has sent no request yet"]);
    }
    assert_eq!(copy.run(&["export", "idle"]).done(), "");
    let listed = copy.run(&["sessions", "--json"]).json();
    let idle = listed.as_array().unwrap().iter().find(|session| session["session"] == "idle").unwrap();
    assert_eq!((&idle["records"], &idle["requests"]), (&0.into(), &0.into()));
}

#[test]
fn a_name_that_can_be_none_is_an_error_and_is_shown_harmless() {
    for name in ["\u{1b}[2J", "a b", "../../etc/passwd", "%00", &"x".repeat(5_000)] {
        let says = sample().run(&["show", name]).failed();
        assert_says(&says, &["there is no session"]);
        assert!(!says.chars().any(char::is_control), "{says:?}");
    }
    let folder = tempfile::TempDir::new().unwrap();
    let workspace = folder.path().to_str().unwrap();
    for name in ["../escape", "a/b", "", " "] {
        let says =
            sample().copy().run(&["demo", "--worker-session", name, "--workspace", workspace]).failed();
        assert_says(&says, &["session id"]);
    }
}
