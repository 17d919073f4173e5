//! The user's settings file: what it changes, and what is said about one that is wrong.

use std::fs;

use serde_json::Value;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, run};

const MODEL: &str = "qwen3:8b";

/// A run with such a file, and the tokens of an answer that the model was asked for; `None`: it was not asked.
fn ran(file: &str, args: &[&str]) -> (Ran, Option<u64>) {
    let place = Place::new();
    let server = serve(Script::new().model(MODEL, 131_072).then(Answer::text("Done.")));
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), file).unwrap();
    let ran = run(place.asks(&server, ("ollama", MODEL), args).arg("Go."));
    let received = server.received();
    let chat = received.iter().find(|request| request.path == "/api/chat");
    let tokens = chat.and_then(|chat| chat.body.pointer("/options/num_predict")).and_then(Value::as_u64);
    (ran, tokens)
}

// S3-27
#[test]
fn the_file_is_read_and_what_is_typed_wins() {
    let file = "[agent]\npolicy = \"dex\"\nmax_output_tokens = 1000\n";
    let (out, tokens) = ran(file, &[]);
    assert_eq!((out.code, tokens), (Some(0), Some(1_000)), "{out:?}");
    let (out, tokens) = ran(file, &["--policy", "vibe", "--max-tokens", "500"]);
    assert_eq!((out.code, tokens), (Some(0), Some(500)), "{out:?}");
}

#[test]
fn a_wrong_file_is_named_with_its_line_before_anything_is_asked() {
    for (file, says) in [
        (
            "[agent]\npolicy = \"dax\"\n",
            ["config.toml, line 2, `policy`: ", "\"dax\" is not one of throughline, dex"],
        ),
        ("[agent]\npolcy = \"dex\"\n", ["config.toml, line 2, `polcy`: ", "did you mean `policy`?"]),
        ("[agent]\n\nhard_block = 98\n", ["config.toml, line 3, `hard_block`: ", "a fraction above 0"]),
    ] {
        let (out, tokens) = ran(file, &[]);
        assert_eq!((out.code, tokens), (Some(2), None), "{out:?}");
        assert_says(&out.err, &says);
    }
}

/// A summary with all that the policy wants to find in one.
const SUMMARY: &str = "\
## 1. User's Primary Goals and Intent\nGo.\n\n## 2. Conversation Timeline and Progress\nThe numbers were counted.\n\n\
## 3. Technical Context and Decisions\nseq\n\n## 4. Files and Code Changes\nNone.\n\n\
## 5. Active Work and Last Actions\nCounted.\n\n## 6. Unresolved Issues and Pending Tasks\nNone.\n\n\
## 7. Immediate Next Step\nSay that it is done.\n";

fn call(command: &str) -> Answer {
    Answer::call("c1", "shell", serde_json::json!({ "command": command }))
}

/// A place with this `config.json` and a server of these answers.
fn placed(file: &str, answers: impl IntoIterator<Item = Answer>) -> (Place, Server) {
    let place = Place::new();
    let script = answers.into_iter().fold(Script::new().model(MODEL, 300_000), Script::then);
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.json"), file).unwrap();
    (place, serve(script.repeat_last()))
}

/// A run with this `config.json` and these answers. Gives its result, its window and its checkpoints.
fn ran_json(file: &str, answers: impl IntoIterator<Item = Answer>) -> (Value, Value, Vec<Value>) {
    let (place, server) = placed(file, answers);
    let args = ["-o", "json", "--window", "300k", "Go."];
    let result: Value = run(&mut place.asks(&server, ("ollama", MODEL), &args)).json();
    let context = run(&mut place.bare(&["context", "last", "--json"])).json();
    let checkpoints = run(&mut place.bare(&["checkpoints", "last", "--json"])).json();
    (result, context, checkpoints.as_array().unwrap().clone())
}

// S0-40: the window, the checkpoints and their handoff are as the file says.
#[test]
fn the_keys_of_a_json_file_act() {
    let file = "{\"policy\": \"dex\", \"context_window_max\": 150000, \"context_warn_pct\": 70, \"context_compact_pct\": 85, \
                \"max_recent_messages\": 6, \"checkpoint_interval\": 1, \"generate_handoff\": false}";
    let answers = || [call("seq 1 3"), call("seq 1 4"), Answer::text("Done.")];
    let (result, context, checkpoints) = ran_json(file, answers());
    assert_eq!(result["outcome"], "done");
    assert!(context.to_string().contains("150000"), "{context}");
    assert_eq!(checkpoints.len(), 3, "{checkpoints:?}");
    assert!(checkpoints.iter().all(|one| one["handoff"] == false), "{checkpoints:?}");
    let (_, context, checkpoints) = ran_json("{}", answers());
    assert!(!context.to_string().contains("150000"), "{context}");
    assert!(checkpoints.len() == 1 && checkpoints[0]["handoff"] == true, "{checkpoints:?}");
}

// S2-04: at this many tokens it is compacted; 0 never does.
#[test]
fn the_threshold_of_a_json_file_acts_and_0_switches_it_off() {
    let compactions = |threshold: u64| {
        let file = format!("{{\"policy\": \"vibe\", \"compaction\": {{\"threshold\": {threshold}}}}}");
        // The second answer is the summary, where one is asked for.
        let answers = [call("seq 1 6000"), Answer::text(SUMMARY), Answer::text("Done.")];
        ran_json(&file, answers).0["compactions"].as_u64().unwrap()
    };
    assert!(compactions(8_000) >= 1);
    assert_eq!((compactions(0), compactions(250_000)), (0, 0));
}

#[test]
fn standing_instructions_are_in_each_request_for_a_summary_and_nowhere_else() {
    let file = |policy: &str| {
        format!(
            "{{\"policy\": \"{policy}\", \"compaction\": {{\"threshold\": 8000, \"instructions\": \"Name each port.\"}}}}"
        )
    };
    let answers = || [call("seq 1 6000"), Answer::text(SUMMARY), Answer::text("Done.")];
    let (place, server) = placed(&file("vibe"), answers());
    let ran = run(&mut place.asks(&server, ("ollama", MODEL), &["--window", "300k", "Go."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.err.contains("no effect"), "{ran:?}");
    let steered = |server: &Server| {
        server
            .received()
            .iter()
            .filter(|request| request.body.to_string().contains("Name each port."))
            .count()
    };
    assert_eq!(steered(&server), 1);

    let (place, server) = placed(&file("slop"), answers());
    let ran = run(&mut place.asks(&server, ("ollama", MODEL), &["--window", "300k", "Go."]));
    assert_says(&ran.err, &["compaction.instructions has no effect", "asks no model for summaries"]);
    assert_eq!(steered(&server), 0);
}

#[test]
fn a_session_is_looked_at_with_the_settings_of_its_own_folder() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Done."))));
    let settings = |folder: &str, text: &str| {
        let folder = place.folder.path().join(folder).join(".throughline");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    };
    settings("work", "[agent]\ncompact_trigger = 0.5\n");
    settings("elsewhere", "[agent]\npolcy = 1\n");
    assert_eq!(run(&mut place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["Go."])).code, Some(0));
    let look = |args: &[&str]| run(place.bare(args).current_dir(place.folder.path().join("elsewhere")));
    let here = place.work().canonicalize().unwrap().display().to_string();
    let report = look(&["context", "last", "--any-folder", "--json"]).json();
    let own = serde_json::json!({"policy": "throughline", "settings_of": here, "problem": null});
    assert_eq!((&report["assumed"], &report["compact_at"]), (&own, &91_808.into()), "{report}");
    let says = format!("are those of policy throughline, as the settings say in {here}.");
    assert_says(&look(&["context", "last", "--any-folder"]).done(), &[&says]);

    // A folder whose settings cannot be used is no reason to tell nothing.
    settings("work", "[agent]\npolcy = 1\n");
    let says =
        ["as your own settings say; those of its folder do not hold: ", "config.toml, line 2, `polcy`"];
    assert_says(&look(&["context", "last", "--any-folder"]).done(), &says);
    fs::remove_dir_all(place.work()).unwrap();
    assert_says(
        &look(&["context", "last", "--any-folder"]).done(),
        &["those of its folder do not hold: there is no folder"],
    );
}

// S4-04
#[test]
fn a_former_name_is_read_with_a_notice_that_says_the_present_one() {
    let (out, asked) = ran("[agent]\nforeign_tools = \"withhold\"\n", &[]);
    assert!(out.code == Some(0) && asked.is_some(), "{out:?}");
    assert_says(
        &out.err,
        &["config.toml:2:1: \"withhold\" is a former name", "agent.foreign_tools: write \"isolate\""],
    );
    let (out, _) = ran("[agent]\nforeign_tools = \"isolate\"\n", &[]);
    assert!(out.code == Some(0) && !out.err.contains("former name"), "{out:?}");
}

/// A run with Anthropic and such a file. Returns what it printed, its requests, and its cost in dollars.
fn of_anthropic(file: &str) -> (Ran, Vec<Value>, f64) {
    let place = Place::new();
    let usage = Usage { input: 0, cache_read: 0, cache_write: 100_000, output: 0, searches: 0 };
    let server = serve(Script::new().then(Answer::text("Done.").usage(usage)));
    let folder = place.folder.path().join(".config/throughline");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), file).unwrap();
    let args = ["-o", "json", "Go."];
    let ran = run(&mut place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &args));
    let cost = serde_json::from_str::<Value>(&ran.out).ok().and_then(|printed| printed["cost_usd"].as_f64());
    let bodies = server.received().into_iter().filter(|request| request.method == "POST");
    (ran, bodies.map(|request| request.body).collect(), cost.unwrap_or_default())
}

#[test]
fn the_ttl_of_the_prompt_cache_is_asked_for_and_paid() {
    for (file, ttl, dollars) in [
        ("", None, 0.375),
        ("[cache]\nttl = \"5m\"\n", None, 0.375),
        ("[cache]\nttl = \"1h\"\n", Some("1h"), 0.6),
    ] {
        let (out, bodies, cost) = of_anthropic(file);
        assert_eq!(out.code, Some(0), "{out:?}");
        let marker = bodies[0]
            .pointer("/system/0/cache_control")
            .or(bodies[0].pointer("/messages/0/content/0/cache_control"));
        assert_eq!(marker.unwrap()["ttl"].as_str(), ttl, "{file}");
        assert!((cost - dollars).abs() < 0.001, "{file}: {cost}");
    }
    let (out, bodies, _) = of_anthropic("[cache]\nttl = \"30m\"\n");
    assert!(out.code != Some(0) && bodies.is_empty(), "{out:?}");
    assert_says(
        &out.err,
        &["cache.ttl is \"30m\"", "anthropic/claude-sonnet-4-5", "one of \"auto\", \"5m\", \"1h\""],
    );
    let (out, _, _) = of_anthropic("[cache]\nttl = \"2h\"\n");
    assert_says(&out.err, &["\"2h\" is not one of auto, 5m, 30m, 1h"]);
}
