//! A session as a trajectory in ATIF: valid by the rules of the format, and the same conversation when it is read again.

use std::fs;

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Message, Millis, Record, RecordBody, Role, Thinking, ToolCall};
use throughline_replay::{RecordedSession, read_session};
use throughline_testserver::{Answer, Script};

use crate::lived::{Lived, MODEL};
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

/// The fields of each object, from the specification (RFC 0001 of Harbor, version 1.7): required, then optional.
const ROOT: Fields = (
    &["schema_version", "agent", "steps"],
    &[
        "session_id",
        "trajectory_id",
        "notes",
        "final_metrics",
        "continued_trajectory_ref",
        "extra",
        "subagent_trajectories",
    ],
);
const AGENT: Fields = (&["name", "version"], &["model_name", "tool_definitions", "extra"]);
const STEP: Fields = (
    &["step_id", "source", "message"],
    &[
        "timestamp",
        "model_name",
        "reasoning_effort",
        "reasoning_content",
        "tool_calls",
        "observation",
        "metrics",
        "extra",
        "llm_call_count",
        "is_copied_context",
    ],
);
const AGENT_ONLY: [&str; 5] =
    ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];
const CALL: Fields = (&["tool_call_id", "function_name", "arguments"], &["extra"]);
const RESULT: Fields = (&[], &["source_call_id", "content", "subagent_trajectory_ref", "extra"]);
const METRICS: Fields = (
    &[],
    &[
        "prompt_tokens",
        "completion_tokens",
        "cached_tokens",
        "cost_usd",
        "prompt_token_ids",
        "completion_token_ids",
        "logprobs",
        "extra",
    ],
);
const FINAL: Fields = (
    &[],
    &[
        "total_prompt_tokens",
        "total_completion_tokens",
        "total_cached_tokens",
        "total_cost_usd",
        "total_steps",
        "extra",
    ],
);

type Fields = (&'static [&'static str], &'static [&'static str]);

/// It is an object with the required fields, and no others but the optional ones. No field is null.
#[track_caller]
fn has_fields(object: &Value, (required, optional): Fields) {
    let fields = object.as_object().unwrap_or_else(|| panic!("no object: {object}"));
    for name in required {
        assert!(fields.contains_key(*name), "{name} is missing: {object}");
    }
    for (name, value) in fields {
        let known = required.contains(&name.as_str()) || optional.contains(&name.as_str());
        assert!(known && !value.is_null(), "{name}: {object}");
    }
    assert!(fields.get("extra").is_none_or(Value::is_object), "{object}");
}

/// A text, or a list of texts and pictures.
#[track_caller]
fn is_content(content: &Value) {
    let Some(parts) = content.as_array() else { return assert!(content.is_string(), "{content}") };
    for part in parts {
        match part["type"].as_str().unwrap() {
            "text" => assert!(part["text"].is_string() && part.get("source").is_none(), "{part}"),
            "image" => {
                assert!(part.get("text").is_none() && part["source"]["path"].is_string(), "{part}");
                let known = ["image/jpeg", "image/png", "image/gif", "image/webp"];
                assert!(known.contains(&part["source"]["media_type"].as_str().unwrap()), "{part}");
            }
            _ => panic!("{part}"),
        }
    }
}

#[track_caller]
fn is_valid_step(number: u64, step: &Value) {
    has_fields(step, STEP);
    assert_eq!(step["step_id"], number, "step ids count from 1");
    let source = step["source"].as_str().unwrap();
    assert!(["system", "user", "agent"].contains(&source));
    let agent_only = AGENT_ONLY.iter().any(|name| step.get(*name).is_some());
    assert!(source == "agent" || !agent_only, "{step}");
    assert!(Millis::from_rfc3339(step["timestamp"].as_str().unwrap()).is_some());
    is_content(&step["message"]);
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let calls = list(step.get("tool_calls"));
    for call in &calls {
        has_fields(call, CALL);
        assert!(call["arguments"].is_object(), "{call}");
    }
    for result in list(step.get("observation").map(|observation| &observation["results"])) {
        has_fields(&result, RESULT);
        is_content(&result["content"]);
        assert!(calls.iter().any(|call| call["tool_call_id"] == result["source_call_id"]), "{result}");
    }
    if let Some(metrics) = step.get("metrics") {
        has_fields(metrics, METRICS);
        assert!(metrics["cached_tokens"].as_u64() <= metrics["prompt_tokens"].as_u64(), "{metrics}");
    }
}

/// Exports a session and checks every rule of the format. Returns the document, and the session that is read from it.
#[track_caller]
fn exported(place: &Place, id: &str) -> (Value, RecordedSession) {
    let file = place.folder.path().join("trajectory.json");
    run(&mut place.bare(&["export", id, "--atif", "-o", file.to_str().unwrap()])).done();
    let text = fs::read_to_string(&file).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    has_fields(&document, ROOT);
    has_fields(&document["agent"], AGENT);
    has_fields(&document["final_metrics"], FINAL);
    assert_eq!((&document["schema_version"], &document["session_id"]), (&json!("ATIF-v1.7"), &json!(id)));
    let steps = document["steps"].as_array().unwrap();
    for (number, step) in (1..).zip(steps) {
        is_valid_step(number, step);
    }
    let at = |step: &Value| Millis::from_rfc3339(step["timestamp"].as_str().unwrap());
    assert!(steps.get(1).is_none_or(|second| at(&steps[0]) <= at(second)), "{document}");
    assert_eq!(document["final_metrics"]["total_steps"], steps.len());
    let sum = |field: &str| -> u64 { steps.iter().filter_map(|step| step["metrics"][field].as_u64()).sum() };
    let totals = &document["final_metrics"];
    assert_eq!(totals["total_prompt_tokens"], sum("prompt_tokens"));
    assert_eq!(totals["total_completion_tokens"], sum("completion_tokens"));
    assert_eq!(totals["total_cached_tokens"], sum("cached_tokens"));
    (document, read_session(&file).unwrap())
}

/// The messages of the log, without the signatures of thoughts.
fn of_log(place: &Place, id: &str) -> Vec<Message> {
    let log = run(&mut place.bare(&["export", id])).done();
    let records = log.lines().filter_map(|line| serde_json::from_str(line).ok());
    let messages = records.filter_map(|record: Record| match record.body {
        RecordBody::Message(said) => Some(said.message),
        _ => None,
    });
    messages.map(without_signatures).collect()
}

fn without_signatures(mut message: Message) -> Message {
    for block in &mut message.content {
        if let ContentBlock::Thinking(thinking) = block {
            thinking.signature = None;
        }
    }
    message
}

#[test]
fn a_session_is_exported_and_read_again_as_the_same_conversation() {
    let lived = Lived::new();
    let (document, read) = exported(&lived.place, &lived.id);
    assert_eq!(read.messages(), of_log(&lived.place, &lived.id));
    assert_eq!((read.id.as_str(), read.format.name()), (lived.id.as_str(), "atif"));
    assert!(read.repairs.is_empty(), "{:?}", read.repairs);
    assert_eq!(read.timed_requests(), 4);
    let usage: Vec<_> = read.steps().map(|step| step.usage.unwrap()).collect();
    assert_eq!(
        (usage[0].input, usage[0].cache_read, usage[0].cache_write, usage[0].output),
        (1_000, 200, 30, 4)
    );
    assert_eq!(read.model.as_deref(), Some(MODEL.1));
    // The prompt is the first step, and the tools are those that were sent.
    assert_eq!(document["steps"][0]["source"], "system");
    assert!(read.system.is_some());
    let tools = document["agent"]["tool_definitions"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["function"]["name"] == "shell"), "{tools:?}");
    // Sonnet 4.5: 3 dollars for a million tokens, a tenth for reading, 1.25 for writing, 15 for output.
    let dollars = |input: f64| (input * 3.0 + 200.0 * 0.3 + 30.0 * 3.75 + 4.0 * 15.0) / 1e6;
    let figure = |dollars: f64| format!("{dollars:.6}").parse::<f64>().unwrap();
    assert_eq!(document["steps"][2]["metrics"]["cost_usd"], figure(dollars(1_000.0)));
    let all: f64 = [1_000.0, 2_000.0, 3_000.0, 12_111.0].map(dollars).iter().sum();
    assert_eq!(document["final_metrics"]["total_cost_usd"], figure(all));
    // A stored result is named, and the audit takes the usage of the document.
    let result = &document["steps"][2]["observation"]["results"][0]["extra"];
    assert!(result["stored_result"].is_string() && result["stored_bytes"].as_u64() > Some(8_000), "{result}");
    let file = lived.place.folder.path().join("trajectory.json");
    let audit =
        run(&mut lived.place.bare(&["audit", "--json", "--no-policies", file.to_str().unwrap()])).json();
    let usage = &audit["totals"]["usage"];
    assert_eq!(
        (&usage["input"], &usage["cache_read"], &usage["cache_write"]),
        (&json!(18_111), &json!(800), &json!(120))
    );
}

#[test]
fn thoughts_failures_undone_turns_and_compactions_are_in_the_document() {
    let place = Place::new();
    let thought =
        Thinking { text: "I try it.".to_owned(), signature: Some("c2ln".to_owned()), redacted: None };
    let call =
        ToolCall { id: "c1".to_owned(), name: "shell".to_owned(), input: json!({"command": "exit 3"}) };
    let script = Script::new()
        .then(Answer::blocks(vec![ContentBlock::Thinking(thought), ContentBlock::ToolCall(call)]))
        .then(Answer::text("It failed."))
        .then(Answer::text("Two."))
        .then(Answer::text("Three."));
    let server = serve(script);
    let first = run(&mut place.asks(&server, MODEL, &["-o", "json", "Run it."])).json();
    let id = first["session"].as_str().unwrap();
    for request in ["Say two.", "Say three."] {
        run(&mut place.asks(&server, MODEL, &["-c", "-o", "json", request])).json();
    }
    run(&mut place.bare(&["undo", id])).done();
    let (document, read) = exported(&place, id);
    let mut live = of_log(&place, id);
    live.truncate(live.len() - 2);
    assert_eq!(read.messages(), live, "what was undone is in the document, and stays undone");
    let steps = document["steps"].as_array().unwrap();
    let hidden: Vec<&Value> = steps.iter().filter(|step| step["extra"]["hidden"] == "undone").collect();
    assert_eq!(hidden.len(), 2, "{steps:?}");
    assert_eq!(steps[2]["reasoning_content"], "I try it.");
    assert_eq!(
        read.turns[0].steps[0].results[0].is_error,
        steps[2]["observation"]["results"][0]["extra"]["is_error"] == true
    );
    let both = run(&mut place.bare(&["export", id, "--atif", "--text"])).misused();
    assert_says(&both, &["--text"]);
    assert_eq!(read.messages().last().map(|message| message.role), Some(Role::Assistant));
}

// A session of another agent has no usage: nothing is said of it, not even that it is zero.
#[test]
fn what_is_not_known_is_left_out() {
    let place = Place::new();
    let project = place.folder.path().join(".claude/projects/-w");
    fs::create_dir_all(&project).unwrap();
    let lines = [
        json!({"type": "user", "uuid": "1", "parentUuid": null, "sessionId": "0a1b2c3d-0000-4000-8000-000000000000",
               "cwd": place.work(), "timestamp": "2026-01-08T10:00:00Z", "message": {"role": "user", "content": "Hi."}}),
        json!({"type": "assistant", "uuid": "2", "parentUuid": "1", "sessionId": "0a1b2c3d-0000-4000-8000-000000000000",
               "cwd": place.work(), "timestamp": "2026-01-08T10:00:05Z",
               "message": {"id": "m", "role": "assistant", "model": "claude-sonnet-4-5",
                           "content": [{"type": "text", "text": "Hello."}]}}),
    ];
    let file = project.join("0a1b2c3d-0000-4000-8000-000000000000.jsonl");
    fs::write(file, lines.map(|line| line.to_string()).join("\n")).unwrap();
    // It says on standard error that it has stored the session.
    let ran = run(&mut place.bare(&["handoff", "claude:0a1b2c3d", "--json"]));
    let handoff: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&handoff["requests"], &handoff["last_answer"]), (&json!(["Hi."]), &json!("Hello.")));
    let out = run(&mut place.bare(&["export", "claude-0a1b2c3d", "--atif"])).done();
    let document: Value = serde_json::from_str(&out).unwrap();
    let steps = document["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| step.get("metrics").is_none()), "{steps:?}");
    assert_eq!(document["final_metrics"], json!({"total_steps": steps.len()}));
}
