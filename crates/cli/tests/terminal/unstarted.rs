//! A session that cannot be opened: the terminal, the list of sessions and the locks are unchanged.

use std::fs;
use std::path::PathBuf;

use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::run;
use crate::tmux::Tmux;

const MODEL: &[&str] = &["--model", "claude-sonnet-4-5"];

fn model() -> Server {
    serve(Script::new().then(Answer::text("Here I am.")).repeat_last())
}

fn data(place: &Place) -> PathBuf {
    place.folder.path().join(".local/share/throughline")
}

/// Starts the binary by a shell that notes the settings of the terminal before and after it, and returns its exit code and
/// what it printed.
#[track_caller]
fn unstarted(place: &Place, server: &Server, limit: &str, args: &[&str]) -> (i32, String) {
    let script = format!("stty -g > before; ({limit} exec \"$@\"); code=$?; stty -g > after; exit $code");
    // The words after the script are its parameters.
    let mut words = vec!["sh".to_owned(), "-c".to_owned(), script, "sh".to_owned()];
    words.extend(Tmux::words(place, server, MODEL, args));
    let screen = Tmux::open(&place.work(), (100, 30), &words);
    let code = screen.ended();
    let settings = |file: &str| fs::read_to_string(place.work().join(file)).unwrap();
    assert_eq!(settings("before"), settings("after"), "{}", screen.all());
    assert_eq!(screen.modes(), "1 0 0 0 0", "the cursor is shown, and nothing else is on");
    (code, screen.all())
}

/// The ids of the sessions.
fn sessions(place: &Place) -> Vec<String> {
    let listed = run(&mut place.bare(&["sessions", "--json"])).json();
    let id = |session: &serde_json::Value| session["session"].as_str().unwrap().to_owned();
    listed.as_array().unwrap().iter().map(id).collect()
}

/// A session starts in this place, and it is the only one.
#[track_caller]
fn starts(place: &Place, server: &Server) {
    let screen = Tmux::start(place, server, (100, 30), &["Are you there?"]);
    screen.shows("Here I am.");
    screen.idle();
    screen.key("C-d");
    assert_eq!(screen.ended(), 0);
    assert_eq!(sessions(place).len(), 1, "what could not be opened left no session");
}

#[test]
fn a_database_that_cannot_be_read_is_named_and_left_alone() {
    let (place, server) = (Place::new(), model());
    fs::create_dir_all(data(&place)).unwrap();
    let file = data(&place).join("throughline.db");
    let damaged = "no database ".repeat(2_000);
    fs::write(&file, &damaged).unwrap();
    let (code, said) = unstarted(&place, &server, "", &["Are you there?"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("throughline.db"), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap(), damaged);
    fs::remove_file(&file).unwrap();
    starts(&place, &server);
}

#[test]
fn a_data_folder_that_cannot_be_used_is_named() {
    let (place, server) = (Place::new(), model());
    fs::create_dir_all(data(&place).parent().unwrap()).unwrap();
    fs::write(data(&place), "").unwrap();
    let (code, said) = unstarted(&place, &server, "", &["Are you there?"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains(".local/share/throughline"), "{said}");
    fs::remove_file(data(&place)).unwrap();
    starts(&place, &server);
}

#[test]
fn a_disk_without_room_for_the_session_is_said() {
    let (place, server) = (Place::new(), model());
    let (code, said) = unstarted(&place, &server, "ulimit -f 8;", &["Are you there?"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("throughline.db"), "{said}");
    starts(&place, &server);
    // The tables are there, and the row of another session does not fit.
    let (code, said) = unstarted(&place, &server, "ulimit -f 8;", &["Are you there?"]);
    assert_eq!(code, 1, "{said}");
    assert_eq!(sessions(&place).len(), 1);
}

#[test]
fn a_limit_that_the_model_has_not_is_refused_before_anything_is_written() {
    let (place, server) = (Place::new(), model());
    let (code, said) = unstarted(&place, &server, "", &["--window", "9000000", "Are you there?"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--window"), "{said}");
    starts(&place, &server);
}

#[test]
fn a_session_that_is_open_elsewhere_stays_there_and_is_free_afterwards() {
    let (place, server) = (Place::new(), model());
    let first = Tmux::start(&place, &server, (100, 30), &["Are you there?"]);
    first.shows("Here I am.");
    first.idle();
    let id = sessions(&place).remove(0);
    let (code, said) = unstarted(&place, &server, "", &["--resume", &id]);
    assert_ne!(code, 0, "{said}");
    assert!(said.contains("is open in another process"), "{said}");
    first.say("Still there?");
    first.asked(&server, 2);
    first.key("C-d");
    assert_eq!(first.ended(), 0);
    let again = Tmux::start(&place, &server, (100, 30), &["--resume", &id]);
    again.shows("Still there?");
    again.key("C-d");
    assert_eq!(again.ended(), 0);
}
