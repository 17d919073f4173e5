//! Records and databases that are lost while or after a session is written.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

fn database(place: &Place) -> PathBuf {
    place.folder.path().join(".local/share/throughline/throughline.db")
}

#[test]
fn a_lost_end_is_said_when_the_session_continues_and_by_every_export() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    for args in [&["First."][..], &["-c", "Second."], &["-c", "Third."]] {
        assert_eq!(run(&mut place.asks(&server, MODEL, args)).code, Some(0));
    }
    let before = run(&mut place.bare(&["export", "last"])).done();
    let last = before.lines().count();
    let lose = format!("DELETE FROM log WHERE seq > {}", last - 3);
    Connection::open(database(&place)).unwrap().execute(&lose, []).unwrap();

    let export = run(&mut place.bare(&["export", "last"]));
    assert_eq!((export.code, export.out.lines().count()), (Some(1), last));
    let lost = format!(r#"{{"seq":{},"damaged":"missing"}}"#, last - 2);
    assert_says(&export.out, &[&lost]);
    let says = format!("records {} to {last} are lost", last - 2);
    assert_says(&export.err, &[&says, "recover"]);

    let more = run(&mut place.asks(&server, MODEL, &["-c", "Fourth."]));
    assert_eq!(more.code, Some(0), "{}", more.err);
    assert_says(&more.err, &[&says, "the session continues without"]);
    // Their places are not given to other records, so that they stay named.
    let export = run(&mut place.bare(&["export", "last"]));
    assert_eq!(export.code, Some(1));
    assert_says(&export.out, &[&lost, "Fourth."]);
}

#[test]
fn a_run_whose_database_is_removed_ends_as_unsaved() {
    let wait = "touch started; until [ -e go ]; do sleep 0.05; done";
    let call = Answer::call("c1", "shell", json!({ "command": wait }));
    let script = Script::new().then(call).then(Answer::text("Done.")).repeat_last();
    let (place, server) = (Place::new(), serve(script));
    let mut command = place.asks(&server, MODEL, &["-o", "json", "--mode", "yolo", "Wait."]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !place.work().join("started").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the command never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    let folder = database(&place).parent().unwrap().to_path_buf();
    fs::rename(&folder, folder.with_file_name("moved")).unwrap();
    fs::write(place.work().join("go"), "").unwrap();
    let ended = child.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    let object: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!((ended.status.code(), &object["outcome"]), (Some(1), &json!("unsaved")), "{object}");
    assert_says(object["error"].as_str().unwrap(), &["was removed, moved or replaced"]);
}

#[test]
fn a_deleted_session_leaves_nothing_and_others_stay() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    let id = |prompt: &str| {
        let ran = run(&mut place.asks(&server, MODEL, &["-o", "json", prompt])).json();
        ran["session"].as_str().unwrap().to_owned()
    };
    let (first, second) = (id("My marmalade recipe."), id("Something else."));
    let data = database(&place).parent().unwrap().to_path_buf();
    let sessions = run(&mut place.bare(&["sessions", "--json"])).json();
    let input = |text: &str| format!("{}\n", json!({"workspace": sessions[0]["workspace"], "text": text}));
    fs::write(data.join("inputs.jsonl"), input("My marmalade recipe.") + &input("Something else.")).unwrap();
    let lock = |id: &str| data.join(format!("locks/{id}.lock"));
    assert!(lock(&first).exists() && lock(&second).exists());
    let refused = run(&mut place.bare(&["sessions", "delete", &first])).failed();
    assert_says(&refused, &["nothing deleted", "marmalade", "--yes"]);
    let deleted = run(&mut place.bare(&["sessions", "delete", &first, "--yes"])).done();
    assert_says(&deleted, &["Deleted session", &first]);
    let listed = run(&mut place.bare(&["sessions"])).done();
    assert!(!listed.contains(&first) && listed.contains(&second), "{listed}");
    let bytes = fs::read(database(&place)).unwrap();
    assert!(!bytes.windows(9).any(|window| window == b"marmalade"), "its text is still in the file");
    assert_eq!(fs::read_to_string(data.join("inputs.jsonl")).unwrap(), input("Something else."));
    assert!(!lock(&first).exists() && lock(&second).exists());
    run(&mut place.bare(&["sessions", "delete", &first, "--yes"])).failed();
}

#[test]
fn recover_saves_what_is_left_next_to_the_damaged_database() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    let ran = run(&mut place.asks(&server, MODEL, &["-o", "json", "Go."])).json();
    let id = ran["session"].as_str().unwrap();
    let before = run(&mut place.bare(&["export", id])).done();
    let whole = run(&mut place.bare(&["recover", "last"])).done();
    assert_says(&whole, &[id, "recovered-1"]);
    fs::remove_dir_all(database(&place).with_file_name("recovered-1")).unwrap();
    // A write-ahead log that an ending process left would still hold the header.
    let folded = Connection::open(database(&place)).unwrap();
    folded.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(folded);
    // The header: SQLite does not open this file any more.
    let mut bytes = fs::read(database(&place)).unwrap();
    bytes[..16].fill(0);
    fs::write(database(&place), &bytes).unwrap();
    assert_says(&run(&mut place.bare(&["export", id])).failed(), &["recover"]);
    assert_says(
        &run(&mut place.bare(&["recover", "last"])).failed(),
        &["the newest session is not known", "recover --all"],
    );
    let out = run(&mut place.bare(&["recover", "--all"])).done();
    assert_says(&out, &[id, "the damaged database is unchanged", "recovered-1"]);
    assert_eq!(fs::read(database(&place)).unwrap(), bytes);
    let new = database(&place).with_file_name("recovered-1");
    assert_eq!(run(place.bare(&["export", id, "--data-dir"]).arg(new)).done(), before);
}
