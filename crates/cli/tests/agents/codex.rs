//! Codex.

use serde_json::{Value, json};
use throughline_conversation::Usage;
use throughline_testserver::Answer;

use crate::bodies::{CONTEXT, text_of};
use crate::installed::CODEX;
use crate::ran::{assert_says, run};
use crate::screens::{ROUNDS, Round, record_rounds};
use crate::stage::{Habits, LONG, SLOW, Stage, children, is_running, kill};
use crate::tmux::Tmux;

/// A provider that it asks without an account, a folder that it trusts, and tools that run without a question.
const CONFIG: &str = r#"
model = "gpt-5"
model_provider = "mock"
model_context_window = 200000
model_auto_compact_token_limit = 150000
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.mock]
name = "mock"
base_url = "{{url}}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 1
[projects."{{work}}"]
trust_level = "trusted"
"#;

/// More than the agent takes before it compacts.
const FULL: Usage = Usage { input: 160_000, cache_read: 0, cache_write: 0, output: 10, searches: 0 };

const HABITS: Habits = Habits {
    installed: CODEX,
    unscripted,
    messages: "input",
    transcripts: ".codex/sessions",
    compacted: "\"type\":\"compacted\"",
};

/// A summary is asked for in these words, at the end.
fn unscripted(body: &Value) -> Option<Answer> {
    let last = body["input"].as_array()?.last()?;
    text_of(last).contains("CONTEXT CHECKPOINT COMPACTION").then(|| Answer::text("They count lines."))
}

/// The same; summaries take a while.
fn slowly(body: &Value) -> Option<Answer> {
    unscripted(body).map(|answer| answer.wait_head(SLOW))
}

fn stage() -> Option<Stage> {
    stage_with(HABITS)
}

fn stage_with(habits: Habits) -> Option<Stage> {
    let mut stage = Stage::new(habits)?;
    stage.set("MOCK_KEY", "x");
    let work = stage.work().display().to_string();
    let config = CONFIG.replace("{{url}}", &stage.server.url()).replace("{{work}}", &work);
    stage.write(".codex/config.toml", &config);
    Some(stage)
}

fn terminal(stage: &Stage, options: &[&str], args: &[&str]) -> Tmux {
    let terminal = stage.terminal(options, &[&["--no-alt-screen", "--no-daemon"], args].concat());
    terminal.shows("Ask Codex to do anything");
    terminal
}

/// Runs the agent without a terminal. Gives what it printed.
#[track_caller]
fn headless(stage: &Stage, options: &[&str], args: &[&str]) -> String {
    let all = [&["exec", "--json", "--skip-git-repo-check"], args].concat();
    let ran = run(&mut stage.watched(options, &all));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}

fn call(id: &str, command: &str) -> Answer {
    Answer::call(id, "exec_command", json!({"cmd": command}))
}

/// A call of a tool of our MCP server. Codex knows such a tool by a namespace, which other clients do not have.
fn call_ours(id: &str, name: &str, input: &Value) -> Answer {
    let item = json!({"id": format!("fc_{id}"), "type": "function_call", "status": "completed", "call_id": id,
                      "namespace": "mcp__throughline", "name": name, "arguments": input.to_string()});
    let usage = json!({"input_tokens": 10, "output_tokens": 5, "total_tokens": 15});
    let response = |status: &str| json!({"id": format!("resp_{id}"), "object": "response", "status": status, "output": [item], "usage": usage});
    let events = [
        json!({"type": "response.created", "response": {"id": format!("resp_{id}")}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": response("completed")}),
    ];
    let body: String = events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()))
        .collect();
    Answer::raw("text/event-stream", body.into_bytes())
}

/// Answers a task of two tools.
fn do_a_task(stage: &Stage) {
    stage.server.push(call("call_1", "wc -l a.txt"));
    stage.server.push(call("call_2", "sed -i s/beta/gamma/ a.txt"));
    stage.server.push(Answer::text("There are two."));
}

// S1-12 S1-13
#[test]
fn a_compaction_by_hand_brings_the_context_into_the_next_request() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[], &[]);
    do_a_task(&stage);
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    terminal.enter("/compact");
    stage.compacted(1);
    terminal.idle();
    stage.server.push(Answer::text("Continuing now."));
    terminal.enter("Continue.");
    terminal.shows("Continuing now.");
    let requests = stage.requests();
    assert!(requests[..3].iter().all(|text| !text.contains(CONTEXT)), "{requests:?}");
    let last = &requests[3];
    let asked = "word for word:\nCount the lines of a.txt.\n";
    assert_says(last, &["They count lines.", CONTEXT, asked, "a.txt"]);
    assert_eq!(last.matches(CONTEXT).count(), 1, "{last}");
    assert!(!last.contains("call_1"), "it was compacted: {last}");
    assert_says(&stage.status(), &["compactions 1\n  1  context delivered\n"]);
}

// S1-03 S1-04
#[test]
fn a_compaction_is_seen_on_the_screen() {
    let Some(stage) = stage_with(Habits { unscripted: slowly, ..HABITS }) else { return };
    let terminal = terminal(&stage, &["--pty"], &[]);
    do_a_task(&stage);
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    stage.record("codex_task.txt", &terminal.idle());
    terminal.enter("/compact");
    stage.record("codex_compacting.txt", &terminal.shows("Compacting context"));
    stage.compacted(1);
    stage.record("codex_compacted.txt", &terminal.idle());
    assert_eq!(stage.seen(), ["compacting context"]);
}

// S1-02 S1-12
#[test]
fn a_compaction_by_threshold_brings_the_context_back_between_turns_and_within_one() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[], &[]);
    stage.server.push(Answer::text("There are two.").usage(FULL));
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    terminal.idle();
    stage.server.push(Answer::text("Counted again."));
    terminal.enter("Count again.");
    terminal.shows("Counted again.");
    stage.compacted(1);
    terminal.idle();
    stage.server.push(call("call_1", "wc -l a.txt").usage(FULL));
    stage.server.push(Answer::text("Counted by wc."));
    terminal.enter("Count by wc.");
    terminal.shows("Counted by wc.");
    stage.compacted(2);
    let requests = stage.requests();
    assert_eq!(requests.len(), 4);
    for (request, asked) in [(&requests[1], "Count the lines of a.txt."), (&requests[3], "Count by wc.")] {
        assert_says(request, &[CONTEXT, &format!("word for word:\n{asked}\n")]);
    }
    assert_says(&stage.status(), &["compactions 2\n  1  context delivered\n  2  context delivered\n"]);
    stage.record("codex_compactions.jsonl", &recording(&stage));
}

/// The lines of the rollout that tell of compactions, without what does not.
fn recording(stage: &Stage) -> String {
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let payload = &line["payload"];
        let kept = match (line["type"].as_str()?, payload["type"].as_str(), payload["role"].as_str()) {
            ("compacted", _, _) => json!({"message": payload["message"]}),
            ("response_item", Some("message"), Some("assistant")) => payload.clone(),
            ("response_item", Some("message"), Some("developer")) if text_of(payload).contains(CONTEXT) => {
                payload.clone()
            }
            ("response_item", Some("function_call" | "function_call_output"), _) => payload.clone(),
            _ => return None,
        };
        Some(format!("{}\n", json!({"type": line["type"], "payload": kept})))
    };
    stage.transcripts().lines().filter_map(line).collect()
}

// S1-12
#[test]
fn a_session_whose_agent_was_killed_is_resumed_with_its_context() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[], &[]);
    break_off(&stage, &terminal);
    kill(terminal.pid());
    terminal.ended();
    resumed(&stage);
}

// S1-12
#[test]
fn a_session_whose_watch_was_killed_is_resumed_with_its_context() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &["--pty"], &[]);
    break_off(&stage, &terminal);
    let watch = terminal.pid();
    let agents = children(watch);
    assert_eq!(agents.len(), 1);
    kill(watch);
    terminal.ended();
    stage.wait("the agent stays", || agents.iter().all(|agent| !is_running(*agent)));
    resumed(&stage);
}

/// Begins a turn that never ends.
#[track_caller]
fn break_off(stage: &Stage, terminal: &Tmux) {
    stage.server.push(call("call_1", "wc -l a.txt"));
    stage.server.push(Answer::text("Never seen.").wait_head(LONG));
    terminal.enter("Count the lines of a.txt.");
    stage.wait("no second request", || stage.requests().len() == 2);
    stage.wait("no result in the transcript", || stage.transcripts().contains("function_call_output"));
}

/// Resumes the only session, which was killed in its first turn.
#[track_caller]
fn resumed(stage: &Stage) {
    stage.server.push(Answer::text("Continuing now."));
    let file = stage.session();
    assert_says(
        &headless(stage, &[], &["resume", &file[file.len() - 36..], "Continue."]),
        &["Continuing now."],
    );
    assert_says(
        &stage.last_request(),
        &[CONTEXT, "word for word:\nCount the lines of a.txt.\n", "wc -l a.txt"],
    );
}

#[test]
fn a_large_result_leaves_the_window_and_is_read_back() {
    let Some(stage) = stage() else { return };
    stage.server.push(call("call_1", "seq 1 4000"));
    stage.server.push(Answer::text("Counted."));
    headless(&stage, &["--offload"], &["Count."]);
    let last = stage.last_request();
    let reference = last.split_once("ref_id=\"").unwrap().1.split('"').next().unwrap().to_owned();
    assert!(!last.contains("\n1210\n"), "it was replaced");
    let input = json!({"ref_id": reference, "offset": 5000, "limit": 16384});
    stage.server.push(call_ours("call_2", "read_result", &input));
    stage.server.push(Answer::text("Read back."));
    let file = stage.session();
    headless(&stage, &["--offload"], &["resume", &file[file.len() - 36..], "Read it back."]);
    assert_says(&stage.last_request(), &["\n1210\n", "\n4000\n"]);
    assert_says(&stage.status(), &["Results offloaded: 1; ", "; not taken by the agent: 0\n"]);
}

// S1-03 S1-04
#[test]
fn each_compaction_of_a_session_is_seen_once_and_nothing_else_is_taken_for_one() {
    let Some(stage) = stage_with(Habits { unscripted: slowly, ..HABITS }) else { return };
    let terminal = terminal(&stage, &["--pty"], &[]);
    let does = Round {
        call: &|round| call(&format!("call_{round}"), "wc -l a.txt"),
        ask: &|text| terminal.enter(text),
        compact: &|round| {
            terminal.enter("/compact");
            stage.compacted(round);
        },
    };
    record_rounds(&stage, &terminal, "codex_screens.txt", &does);
    assert_eq!(stage.seen().len(), ROUNDS, "{:?}", stage.seen());
}
