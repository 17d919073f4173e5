//! Groups that are taken out of a session and brought back.

use serde_json::Value;
use throughline_conversation::{Action, Edit, EditReason, ExchangeId, Record, RecordBody, Seq, Span};
use throughline_store::lock_session;

use crate::lived::{Lived, next_body};
use crate::place::Place;
use crate::ran::assert_says;
use crate::sample::sample;

/// Three data folders: unchanged, changed, and changed and reverted. Returns the next request of each.
fn bodies(lived: &Lived, there: &[&str], back: &[&str]) -> [String; 3] {
    let [kept, gone, again] = ["kept", "there", "back"].map(|name| lived.copied(name));
    lived.run_in(&gone, there).done();
    lived.run_in(&again, there).done();
    lived.run_in(&again, back).done();
    [kept, gone, again].map(|folder| lived.next_body(&folder))
}

// S4-15 S4-25
#[test]
fn undo_and_redo_leave_the_next_request_unchanged() {
    let lived = Lived::new();
    let [kept, gone, again] = bodies(&lived, &["undo", &lived.id], &["redo", &lived.id]);
    assert_eq!(again, kept, "the round trip changed the request");
    assert!(
        kept.contains("Say three.") && !gone.contains("Say three.") && !gone.contains("Three it is."),
        "{gone}"
    );
    assert!(gone.contains("Say two."));
}

// S4-17 S4-25
#[test]
fn drop_and_restore_leave_the_next_request_unchanged() {
    let lived = Lived::new();
    let [kept, gone, again] =
        bodies(&lived, &["context", &lived.id, "drop", "1"], &["context", &lived.id, "restore", "1"]);
    assert_eq!(again, kept, "the round trip changed the request");
    assert!(kept.contains("It ends with MARK.") && !gone.contains("MARK") && gone.contains("Say three."));
}

// S4-02 S4-24
#[test]
fn a_window_shows_the_newest_groups_and_zero_shows_all() {
    let lived = Lived::new();
    let [kept, gone, again] =
        bodies(&lived, &["context", &lived.id, "window", "2"], &["context", &lived.id, "window", "0"]);
    assert_eq!(again, kept, "the round trip changed the request");
    // The new message is the second of the two.
    assert!(
        !gone.contains("Say two.") && gone.contains("Say three.") && gone.contains("And what now?"),
        "{gone}"
    );
    let same = lived.run(&["context", &lived.id, "window", "0"]).done();
    assert!(same.contains("hides no turn") && !same.contains("To revert"), "{same}");
}

// F-36
#[test]
fn a_compaction_is_undone_and_restored() {
    let demo = sample();
    let (place, copies) = (Place::new(), [demo.copy(), demo.copy(), demo.copy()]);
    let undone = copies[1].run(&["undo", "last", "--compaction"]).done();
    assert_says(&undone, &["Undid the compaction.", "redo", "--compaction", "In view: "]);
    copies[2].run(&["undo", "last", "--compaction"]).done();
    assert_says(&copies[2].run(&["redo", "last", "--compaction"]).done(), &["Restored the compaction."]);
    let [kept, gone, again] = copies.each_ref().map(|copy| next_body(&place, copy.data(), &demo.id));
    assert!(gone.len() > kept.len(), "{} bytes are not more than {}", gone.len(), kept.len());
    assert_eq!(again, kept, "the round trip changed the request");
}

#[test]
fn each_change_says_what_it_did_and_how_to_take_it_back() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    let back = |rest: &str| format!("To revert: throughline {rest}");
    for (args, says, back) in [
        (vec!["undo", id], "Undid turn 3 (\"Say three.\")", back(&format!("redo {id}"))),
        (vec!["redo", id], "Restored turn 3 (\"Say three.\").", back(&format!("undo {id}"))),
        (
            vec!["context", id, "drop", "2"],
            "Hid turn 2 (\"Say two.\") from the model",
            back(&format!("context {id} restore 2")),
        ),
        (
            vec!["context", id, "restore", "2"],
            "Restored turn 2 (\"Say two.\").",
            back(&format!("context {id} drop 2")),
        ),
        (
            vec!["context", id, "window", "2"],
            "The model sees turns 2 and 3.",
            back(&format!("context {id} window 0")),
        ),
        (
            vec!["context", id, "window", "0"],
            "The model sees turns 1 to 3.",
            back(&format!("context {id} window 2")),
        ),
    ] {
        let out = lived.run(&args).done();
        assert_says(&out, &[says, &back, "In view: "]);
        assert!(out.lines().count() <= 4, "{out}");
    }
}

// F-35
#[test]
fn bad_numbers_and_unknown_groups_are_errors_and_change_nothing() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    let before = lived.run(&["export", id]).done();
    for bad in ["0", "-1", "x", "1.5", "", "99999999999999999999999"] {
        for command in [
            &["messages", "list", id][..],
            &["messages", "show", id],
            &["messages", "remove", id],
            &["context", id, "drop"],
            &["context", id, "restore"],
            &["diff", id],
        ] {
            let args: Vec<&str> = command.iter().copied().chain([bad]).collect();
            assert_says(&lived.run(&args).misused(), &["from 1"]);
        }
    }
    for bad in ["-1", "x", "all", "", "4294967296", "99999999999999999999999"] {
        assert_says(&lived.run(&["context", id, "window", bad]).misused(), &["or 0 for all"]);
    }
    for command in [
        &["messages", "show", id, "9"][..],
        &["messages", "remove", id, "9", "--yes"],
        &["context", id, "drop", "9"],
        &["context", id, "restore", "9999"],
    ] {
        assert_says(&lived.run(command).failed(), &["there is no turn ", "the session has turns 1 to 3"]);
    }
    for (command, says) in [
        (&["redo", id][..], "there is no turn to redo"),
        (&["context", id, "restore", "18446744073709551615"], "no message has this id"),
        (&["redo", id, "--compaction"], "there is no compaction to redo"),
        (&["undo", id, "--compaction"], "there is no compaction to undo"),
        (&["diff", id], "the session was not compacted yet"),
        (&["context", id, "restore", "1"], "turn 1 is live; there is nothing to restore"),
        (&["undo", "missing"], "there is no session \"missing\""),
    ] {
        assert_says(&lived.run(command).failed(), &[says]);
    }
    assert_eq!(lived.run(&["export", id]).done(), before);
}

#[test]
fn nothing_is_deleted_without_a_yes() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    let before = lived.run(&["export", id]).done();
    for command in [&["messages", "remove", id, "1"][..], &["undo", id, "--purge"]] {
        assert_says(
            &lived.run(command).failed(),
            &["nothing deleted: this would permanently delete", "--yes to confirm"],
        );
    }
    assert_eq!(lived.run(&["export", id]).done(), before);
    assert_says(&lived.run(&["undo", id, "--purge", "--compaction"]).misused(), &["cannot be used with"]);
}

#[test]
fn a_session_that_another_process_writes_is_not_changed() {
    let lived = Lived::new();
    let id = lived.id.as_str();
    let session = throughline_conversation::SessionId::new(id).unwrap();
    let before = lived.run(&["export", id]).done();
    let lock = lock_session(&lived.data(), &session).unwrap();
    let plan = lived.place.work().join("a.txt").display().to_string();
    for command in [
        &["undo", id][..],
        &["undo", id, "--purge", "--yes"],
        &["redo", id],
        &["messages", "remove", id, "1", "--yes"],
        &["context", id, "drop", "1"],
        &["context", id, "window", "1"],
        &["context", id, "rebuild"],
        &["scratchpad", id, "set", &plan],
        &["run", "-r", id, "/undo"],
    ] {
        assert_says(&lived.run(command).failed(), &["is open in another process", "close it there first"]);
    }
    // Who only looks is not in the way.
    for command in [
        &["messages", "list", id][..],
        &["messages", "show", id, "1"],
        &["context", id, "show"],
        &["summaries", id],
        &["scratchpad", id],
    ] {
        lived.run(command).done();
    }
    assert_eq!(lived.run(&["export", id]).done(), before);
    drop(lock);
    lived.run(&["undo", id]).done();
}

// F-34
#[test]
fn two_sessions_never_touch_each_other() {
    let lived = Lived::new();
    let script = throughline_testserver::Script::new().then(throughline_testserver::Answer::text("Other."));
    let server = crate::place::serve(script);
    let mut other =
        lived.place.asks(&server, crate::lived::MODEL, &["-o", "json", "What does MARK end with?"]);
    let other: Value = serde_json::from_str(&crate::ran::run(&mut other).out).unwrap();
    let other = other["session"].as_str().unwrap().to_owned();
    let before = lived.run(&["export", &other]).done();
    let title = |id: &str| {
        let all = lived.run(&["sessions", "--json"]).json();
        let found = all.as_array().unwrap().iter().find(|session| session["session"] == id).unwrap().clone();
        found["title"].as_str().unwrap().to_owned()
    };
    let named = title(&other);
    for command in [
        &["undo", &lived.id][..],
        &["redo", &lived.id],
        &["context", &lived.id, "drop", "1"],
        &["context", &lived.id, "window", "1"],
        &["messages", "remove", &lived.id, "1", "--yes"],
    ] {
        lived.run(command).done();
    }
    assert_eq!(lived.run(&["export", &other]).done(), before);
    assert_eq!(title(&other), named);
    assert!(!lived.run(&["export", &lived.id]).done().contains("MARK"));
}

// S4-02
#[test]
fn a_window_names_the_turns_that_the_model_sees_and_how() {
    let lived = Lived::new();
    let first = |record: &&Record| record.exchange == ExchangeId(1) && record.body.kind() == "message";
    let records = lived.records();
    let places: Vec<Seq> = records.iter().filter(first).map(|record| record.seq).collect();
    let span = Span { first: places[0], last: places[places.len() - 1] };
    let summary = Some("They asked for the end of a list.".to_owned());
    let actions = vec![Action::Cover { span, summary, note: None }];
    let edit = Edit { reason: EditReason::Manual, actions, strategies: vec!["summary".to_owned()] };
    lived.append(3, RecordBody::Edit(edit));
    lived.run(&["pin", &lived.id, "2", "--text", "Two it is."]).done();

    let said = lived.run(&["context", &lived.id, "window", "1"]).done();
    let seen = [
        "The window is the newest turn.\nThe model sees turn 3, a summary of turn 1 (",
        "and pinned texts of turn 2.\n",
    ];
    assert_says(&said, &seen);
    let shown = lived.run(&["context", &lived.id, "show"]).done();
    assert_says(&shown, &["Three it is.", "the end of a list", "Two it is."]);
    assert!(!shown.contains("Say two.") && !shown.contains("MARK"), "{shown}");
    let said = lived.run(&["context", &lived.id, "window", "0"]).done();
    assert_says(
        &said,
        &["The window hides no turn.\nThe model sees turns 2 and 3, and a summary of turn 1 ("],
    );
}
