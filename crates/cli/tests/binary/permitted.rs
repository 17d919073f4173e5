//! What a run without a screen does by itself, and what it is denied.

use std::fs;

use serde_json::json;
use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

pub(crate) const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

/// A run in which the model makes one call. What it read as the answer of the call, and the place.
pub(crate) fn called(settings: &str, args: &[&str], tool: &str, input: serde_json::Value) -> (String, Place) {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), settings).unwrap();
    let server = serve(Script::new().then(Answer::call("c1", tool, input)).then(Answer::text("Done.")));
    let mut all = args.to_vec();
    all.push("Go.");
    let ran = run(&mut place.asks(&server, MODEL, &all));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (results(&server), place)
}

/// The results of calls that the newest request has.
pub(crate) fn results(server: &Server) -> String {
    let body = server.received().last().unwrap().body.clone();
    let messages = body["messages"].as_array().unwrap();
    messages
        .iter()
        .filter_map(|message| message["content"].as_array())
        .flatten()
        .filter(|block| block["type"] == "tool_result")
        .map(|block| block["content"].to_string())
        .collect()
}

fn shell(settings: &str, args: &[&str], command: &str) -> (String, Place) {
    called(settings, args, "shell", json!({ "command": command }))
}

#[test]
fn by_itself_it_edits_and_runs_commands() {
    assert_says(&shell("", &[], "echo a > new.txt && cat new.txt").0, &["exit status: 0"]);
    let (printed, place) = called("", &[], "write_file", json!({"path": "b.txt", "content": "b"}));
    assert_says(&printed, &["Created b.txt"]);
    assert!(place.work().join("b.txt").exists());
}

#[test]
fn what_would_be_asked_is_denied_with_what_would_allow_it() {
    for (settings, args) in [("", &["--mode", "ask"][..]), ("[permissions]\nmode = \"ask\"\n", &[])] {
        let (printed, place) =
            called(settings, args, "write_file", json!({"path": "src/b.txt", "content": "b"}));
        assert_says(&printed, &["was not run", "edit(src/**)", "--mode yolo"]);
        assert!(!place.work().join("src").exists());
    }
    let settings = "[permissions]\nsandboxed_commands = \"ask\"\n";
    let (printed, place) = shell(settings, &[], "echo a > new.txt");
    assert_says(&printed, &["was not run", "it writes into a file"]);
    assert!(!place.work().join("new.txt").exists());
    assert_says(&shell(settings, &["--allow", "shell(echo *)"], "echo a").0, &["exit status: 0"]);
    assert_says(&shell(settings, &["--mode", "yolo"], "echo a > new.txt").0, &["exit status: 0"]);
}

#[test]
fn what_a_rule_forbids_does_not_run_in_any_mode() {
    let settings = "[permissions]\ndeny = [\n  \"shell(touch *)\",\n]\n";
    for command in
        ["touch new.txt", "ls && /usr/bin/touch new.txt", "sh -c 'touch new.txt'", "T=touch; $T new.txt"]
    {
        let (printed, place) = shell(settings, &["--mode", "yolo"], command);
        assert_says(&printed, &["was not run"]);
        assert!(!place.work().join("new.txt").exists(), "{command}");
    }
    assert_says(&shell(settings, &[], "touch x").0, &["config.toml:3:3"]);
}

#[test]
fn a_rule_that_names_no_tool_is_reported_at_the_start() {
    let place = Place::new();
    let server = serve(Script::new().then(Answer::text("Done.")));
    let rules = ["shel(git push *)", "read(.env)", "shell(rm *)", "mcp__away__delete", "*", "wrte_file"];
    let mut asking = place.asks(&server, MODEL, &[]);
    for rule in rules {
        asking.args(["--deny", rule]);
    }
    let ran = run(asking.arg("Go."));
    assert_says(
        &ran.err,
        &[
            "the deny rule shel(git push *) (--deny) has no effect: no tool is named \"shel\"; did you mean `shell`?",
            "the deny rule wrte_file (--deny) has no effect",
        ],
    );
    assert_eq!(ran.err.matches("has no effect").count(), 2, "{}", ran.err);
}

#[test]
fn plan_mode_only_reads() {
    assert_says(&shell("", &["--mode", "plan"], "ls").0, &["plan mode"]);
    let memo = json!({ "content": "Tests need a network." });
    let (printed, place) = called("", &["--mode", "plan"], "save_memo", memo);
    assert_says(&printed, &["plan mode"]);
    assert_eq!(run(&mut place.bare(&["memos", "--json"])).json(), json!([]));
}

#[test]
fn in_plan_mode_the_message_says_so_and_the_prefix_stays() {
    let place = Place::new();
    let server = serve(Script::new().then(Answer::text("17")).then(Answer::text("Done.")));
    run(&mut place.asks(&server, MODEL, &["--mode", "plan", "How many?"])).done();
    run(&mut place.asks(&server, MODEL, &["--resume", "last", "Do it."])).done();
    let bodies: Vec<serde_json::Value> = server.received().iter().map(|one| one.body.clone()).collect();
    let texts = |body: &serde_json::Value| body["messages"][0]["content"].to_string();
    assert_says(
        &texts(&bodies[0]),
        &["How many?", "<mode name=\\\"plan\\\">", "under the heading `## Plan`"],
    );
    assert_says(&texts(&bodies[1]), &["<mode name=\\\"plan\\\">"]);
    assert_eq!(bodies[0]["system"][0]["text"], bodies[1]["system"][0]["text"]);
    assert!(!bodies[1]["messages"][2].to_string().contains("<mode"), "only messages in plan mode have it");
    assert_says(&called("", &["--mode", "plan"], "read_file", json!({"path": "a.txt"})).0, &["alpha"]);
}

#[test]
fn a_wrong_rule_or_mode_is_named_before_anything_is_asked() {
    let place = Place::new();
    let server = serve(Script::new().then(Answer::text("Done.")));
    let said = run(&mut place.asks(&server, MODEL, &["--allow", "Bash(ls)", "Go."])).misused();
    assert_says(&said, &["--allow", "\"Bash(ls)\"", "named \"shell\" here"]);
    let said = run(&mut place.asks(&server, MODEL, &["--mode", "fast", "Go."])).misused();
    assert_says(&said, &["fast", "plan", "ask", "auto-edit", "yolo"]);
    assert!(server.received().is_empty());
}
