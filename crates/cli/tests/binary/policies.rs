//! A session continues with the policy of its log.

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

/// The exported policy records of the newest session.
fn policies(place: &Place) -> Vec<Value> {
    let log = run(&mut place.bare(&["export", "last"])).done();
    let records = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let bodies = records.filter_map(|record| record.get("body").cloned());
    bodies.filter(|body| body["kind"] == "policy").collect()
}

#[test]
fn a_resumed_session_keeps_its_policy_and_another_one_is_a_recorded_switch() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    let asks = |args: &[&str]| {
        let ran = run(&mut place.asks(&server, MODEL, args));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.err
    };
    let first = json!({"kind": "policy", "name": "dex"});
    asks(&["--policy", "dex", "One."]);
    assert_eq!(policies(&place), std::slice::from_ref(&first));
    // Without an option it is the recorded one, whatever the settings are by default.
    let quiet = asks(&["-c", "Two."]);
    assert!(!quiet.contains("policy"), "{quiet}");
    assert_eq!(policies(&place), std::slice::from_ref(&first));
    assert_says(&run(&mut place.bare(&["context", "last"])).done(), &["policy dex"]);

    let notice = asks(&["-c", "--policy", "vibe", "Three."]);
    assert_says(&notice, &["the policy of this session was dex; from now on it is vibe"]);
    assert_eq!(policies(&place), [first, json!({"kind": "policy", "name": "vibe", "before": "dex"})]);
    let quiet = asks(&["-c", "Four."]);
    assert!(!quiet.contains("policy"), "{quiet}");
    assert_says(&run(&mut place.bare(&["context", "last"])).done(), &["policy vibe"]);
}
