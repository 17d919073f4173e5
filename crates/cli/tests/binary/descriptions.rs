//! What a session sends before its first message: every tool is described, and so is the session.

use std::fs;

use serde_json::Value;
use throughline_testserver::{Answer, Script};

use crate::permitted::MODEL;
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

/// The tools of a request, each with its name and description.
fn described(settings: &str, model: (&str, &str)) -> Vec<(String, String)> {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), settings).unwrap();
    let skill = place.folder.path().join(".claude/skills/sample");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), "---\nname: sample\ndescription: A sample.\n---\nDo it.\n").unwrap();
    let server = serve(Script::new().then(Answer::text("Done.")));
    run(&mut place.asks(&server, model, &["Go."])).done();
    let body = server.received().first().unwrap().body.clone();
    for block in body["system"].as_array().unwrap() {
        assert!(!block["text"].as_str().unwrap().trim().is_empty(), "{block}");
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tools = body["tools"].as_array().unwrap().iter();
    tools.map(|tool| (text(&tool["name"]), text(&tool["description"]))).collect()
}

#[test]
fn every_tool_that_a_session_sends_says_what_it_does() {
    let all = "search.url = \"http://127.0.0.1:9\"\nagents.depth = 1\n";
    for settings in ["", all, "agent.policy = \"vibe\"\n"] {
        let tools = described(settings, MODEL);
        let names: Vec<&str> = tools.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["agent", "agent_output", "shell", "save_memo"] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        for (name, description) in &tools {
            // What is added to a text, such as the list of kinds, stands behind it.
            let first = description.lines().next().unwrap_or_default();
            assert!(first.split_whitespace().count() >= 5, "{name}: {description:?}");
        }
    }
}

#[test]
fn the_model_reads_when_to_use_a_sub_agent() {
    let tools = described("", MODEL);
    let (_, agent) = tools.iter().find(|(name, _)| name == "agent").unwrap();
    assert_says(
        agent,
        &[
            "several calls in one answer run at the same time",
            "The sub-agent sees nothing of this conversation",
            "the same call continues it",
            "background: true",
            "agent_output",
            "- explore:",
        ],
    );
}
