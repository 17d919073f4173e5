//! A session continues with the policy of its log.

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

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

/// The system prompt of the newest request.
fn system(server: &Server) -> String {
    let received = server.received();
    received.last().unwrap().body["system"].to_string()
}

// S4-08 S4-09 S3-13
#[test]
fn slop_asks_for_a_block_in_each_response_and_shows_it_before_the_history() {
    let state =
        "Done.\n\n### STATE\nGoal: the answer\nContext: a.txt\nResolved: none\nTechnical Anchors: port 8080";
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text(state)).repeat_last()));
    let asks = |args: &[&str]| {
        let ran = run(&mut place.asks(&server, MODEL, args));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        system(&server)
    };
    let first = asks(&["--policy", "slop", "One."]);
    assert!(first.contains("End every response with this block"), "{first}");
    let second = asks(&["-c", "Two."]);
    assert!(second.contains("port 8080"), "{second}");
    let shown = run(&mut place.bare(&["context", "last", "show", "--json"])).json();
    let names = shown["system"].as_array().unwrap().iter().map(|section| section["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>().last(), Some(&"dynamic 1"));
    assert_eq!(shown["tail"], json!([]));

    // The default policy leaves both to a setting.
    let usual = asks(&["One."]);
    assert!(usual.contains("When nothing has changed, write no block") && !usual.contains("port 8080"));
    let folder = place.folder.path().join(".config/throughline");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "[agent]\nstate_rule = \"every_response\"\ndynamic_placement = \"system_tail\"\n";
    std::fs::write(folder.join("config.toml"), text).unwrap();
    let set = asks(&["-c", "Two."]);
    assert!(set.contains("End every response with this block") && set.contains("port 8080"), "{set}");
}

// S4-15
#[test]
fn an_undo_deletes_when_the_settings_say_so() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    for args in [&["Remember the canary."][..], &["-c", "Two."]] {
        assert_eq!(run(&mut place.asks(&server, MODEL, args)).code, Some(0));
    }
    let folder = place.folder.path().join(".config/throughline");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "[undo]\nmode = \"delete\"\n").unwrap();
    let refused = run(&mut place.bare(&["undo", "last"]));
    assert_says(&refused.failed(), &["undo.mode is \"delete\"", "--purge --yes"]);
    run(&mut place.bare(&["undo", "last", "--purge", "--yes"])).done();
    let groups = run(&mut place.bare(&["messages", "list", "last"])).done();
    assert!(!groups.contains("Two."), "{groups}");
}

// S2-17
#[test]
fn a_memory_file_is_in_the_system_prompt_before_and_after_a_compaction() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    std::fs::write(place.work().join("MEMORY.md"), "Deploy on Tuesdays only.\n").unwrap();
    let asks = |args: &[&str]| {
        assert_eq!(run(&mut place.asks(&server, MODEL, args)).code, Some(0));
        system(&server)
    };
    let long = "A long story. ".repeat(2_000);
    assert!(asks(&[&long]).contains("Deploy on Tuesdays only."));
    asks(&["-c", &long]);
    let compacted = run(&mut place.asks(&server, MODEL, &["-c", "/compact"]));
    assert_eq!(compacted.code, Some(0), "{compacted:?}");
    let after = asks(&["-c", "And now?"]);
    assert!(after.contains("Deploy on Tuesdays only."), "{after}");
}

// S3-27
#[test]
fn the_configuration_of_rubichan_loads_with_its_policy_and_a_notice() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done.")).repeat_last()));
    let folder = place.folder.path().join(".config/rubichan");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("config.toml");
    let text = "[provider]\ndefault = \"anthropic\"\n[agent]\ncontext_budget = 100000\nmax_turns = 9\n";
    std::fs::write(&file, text).unwrap();
    let ran = run(&mut place.asks(&server, MODEL, &["--config", file.to_str().unwrap(), "One."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["ignored in", "because they are no settings here: provider, agent.max_turns"]);
    assert_eq!(policies(&place), [json!({"kind": "policy", "name": "rubichan"})]);
    let shown = run(&mut place.bare(&["config", "show", "--config", file.to_str().unwrap()])).done();
    assert_says(&shown, &["agent.policy", "\"rubichan\"", "100000", "provider, agent.max_turns"]);
}
