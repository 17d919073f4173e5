//! OpenCode.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use throughline_conversation::Usage;
use throughline_testserver::Answer;

use crate::bodies::{CONTEXT, text_of};
use crate::installed::OPENCODE;
use crate::ran::{assert_says, run};
use crate::screens::{ROUNDS, Round, record_rounds};
use crate::stage::{Habits, LONG, SLOW, Stage, children, is_running, kill};
use crate::tmux::Tmux;

/// More than the agent takes before it compacts.
const FULL: Usage = Usage { input: 196_000, cache_read: 0, cache_write: 0, output: 10, searches: 0 };

/// An MCP server whose only tool has a large result.
const LARGE_SERVER: &str = include_str!("large.js");

/// A plugin of the user that lets no other one add to messages. Those of the user run before ours, so it cannot remove anything.
const REFUSES: &str = r#"export const Refuses = async () => ({
  "experimental.chat.messages.transform": async (_, output) => {
    for (const { parts } of output.messages) parts.push = () => parts.length
  },
})
"#;

const HABITS: Habits = Habits {
    installed: OPENCODE,
    unscripted,
    messages: "messages",
    // Its sessions are in a database.
    transcripts: ".local/share/opencode",
    compacted: "",
};

fn has_tools(body: &Value) -> bool {
    body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
}

/// Titles and summaries are asked for without tools.
fn unscripted(body: &Value) -> Option<Answer> {
    (!has_tools(body)).then(|| Answer::text("They count lines."))
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
    stage.set("OPENCODE_DISABLE_AUTOUPDATE", "1");
    stage.set("OPENCODE_DISABLE_MODELS_FETCH", "1");
    let options = json!({"baseURL": format!("{}/v1", stage.server.url()), "apiKey": "x"});
    stage.write("large.js", LARGE_SERVER);
    let large = stage.place.folder.path().join("large.js");
    let model = json!({"limit": {"context": 200_000, "output": 8_192}});
    let config = json!({
        "model": "anthropic/claude-sonnet-4-5",
        "permission": {"*": "allow"},
        "mcp": {"large": {"type": "local", "command": ["node", large], "enabled": true}},
        "provider": {"anthropic": {"options": options, "models": {"claude-sonnet-4-5": model}}}
    });
    // It tries to install a package next to its configuration, and waits for that before it loads plugins.
    stage.set("npm_config_fetch_retries", "0");
    stage.set("OPENCODE_CONFIG_CONTENT", &config.to_string());
    Some(stage)
}

fn terminal(stage: &Stage, options: &[&str], args: &[&str]) -> Tmux {
    let terminal = stage.terminal(options, args);
    terminal.shows("ctrl+p commands");
    terminal
}

/// Sends a message and waits until the agent has shown the whole answer.
#[track_caller]
fn ask(stage: &Stage, terminal: &Tmux, text: &str, answer: &str) {
    stage.server.push(Answer::text(answer));
    terminal.enter(text);
    terminal.shows(answer);
    terminal.idle();
}

/// Runs the agent without a terminal.
#[track_caller]
fn headless(stage: &Stage, options: &[&str], args: &[&str]) {
    let ran = run(&mut stage.watched(options, &[&["run", "--format", "json"], args].concat()));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn call(id: &str, command: &str) -> Answer {
    Answer::call(id, "bash", json!({"command": command, "description": "Counts"}))
}

/// Waits until this many summaries were asked for, and the last one is shown.
#[track_caller]
fn compacted(stage: &Stage, terminal: &Tmux, times: usize) {
    let is_summary = |body: &Value| !has_tools(body) && text_of(body).contains("<conversation>");
    let asked = || stage.server.received().iter().filter(|one| is_summary(&one.body)).count();
    stage.wait("no compaction", || asked() == times);
    terminal.shows("▣  Compaction");
    terminal.idle();
}

// S1-12 S1-13
#[test]
fn a_compaction_by_hand_brings_the_context_into_the_next_request() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[], &[]);
    stage.server.push(call("toolu_1", "wc -l a.txt"));
    let file = stage.work().join("a.txt");
    let edit = json!({"filePath": file, "oldString": "beta", "newString": "gamma"});
    stage.server.push(Answer::call("toolu_2", "read", json!({"filePath": file})));
    stage.server.push(Answer::call("toolu_3", "edit", edit));
    ask(&stage, &terminal, "Count the lines of a.txt.", "There are two.");
    assert_eq!(fs::read_to_string(&file).unwrap(), "alpha\ngamma\n");
    terminal.enter("/compact");
    compacted(&stage, &terminal, 1);
    ask(&stage, &terminal, "Continue.", "Continuing now.");
    let requests = stage.requests();
    assert!(requests[..4].iter().all(|text| !text.contains(CONTEXT)), "{requests:?}");
    let last = &requests[4];
    let asked = "Current task: Count the lines of a.txt.\n";
    assert_says(last, &["They count lines.", CONTEXT, asked, "a.txt"]);
    assert_eq!(last.matches(CONTEXT).count(), 1, "{last}");
    assert!(!last.contains("toolu_1"), "it was compacted: {last}");
    let status = stage.status();
    assert_says(&status, &["compactions 1\n  1  context delivered\n", "Facts before the last one: "]);
}

// S1-12
#[test]
fn a_context_that_another_plugin_does_not_let_in_is_not_delivered() {
    let Some(stage) = stage() else { return };
    stage.write(".config/opencode/plugin/refuses.js", REFUSES);
    let terminal = terminal(&stage, &[], &[]);
    ask(&stage, &terminal, "Count the lines of a.txt.", "There are two.");
    terminal.enter("/compact");
    compacted(&stage, &terminal, 1);
    ask(&stage, &terminal, "Continue.", "Continuing now.");
    assert!(!stage.last_request().contains(CONTEXT));
    let ran = run(&mut stage.throughline(&["watch", "--status"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.out, &["compactions 1\n  1  context not delivered\n"]);
}

// S1-03 S1-04
#[test]
fn a_compaction_is_seen_on_the_screen() {
    let Some(stage) = stage_with(Habits { unscripted: slowly, ..HABITS }) else { return };
    let terminal = terminal(&stage, &["--pty"], &[]);
    stage.server.push(call("toolu_1", "wc -l a.txt"));
    stage.server.push(Answer::text("There are two."));
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    stage.record("opencode_task.txt", &terminal.idle());
    terminal.enter("/compact");
    compacted(&stage, &terminal, 1);
    stage.record("opencode_compacted.txt", &terminal.idle());
    assert_eq!(stage.seen(), ["▣ compaction"]);
}

// S1-02 S1-12
#[test]
fn a_compaction_by_threshold_brings_the_context_back_at_once_and_keeps_it() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[], &[]);
    stage.server.push(Answer::text("There are two.").usage(FULL));
    stage.server.push(Answer::text("Nothing is left."));
    terminal.enter("Count the lines of a.txt.");
    compacted(&stage, &terminal, 1);
    terminal.shows("Nothing is left.");
    terminal.idle();
    ask(&stage, &terminal, "Count again.", "Counted again.");
    let requests = stage.requests();
    assert_eq!(requests.len(), 3);
    for request in &requests[1..] {
        assert_says(request, &[CONTEXT, "word for word:\nCount the lines of a.txt.\n"]);
        assert_eq!(request.matches(CONTEXT).count(), 1, "{request}");
    }
    assert_says(&stage.status(), &["compactions 1\n  1  context delivered\n"]);
    record_session(&stage);
}

/// Stores what the agent exports of the only session, as far as it tells of compactions, and what the plugin has reported of it.
fn record_session(stage: &Stage) {
    let [reports] = &stage.files(".local/share/throughline/sent-contexts", "json")[..] else {
        panic!("the plugin has reported nothing")
    };
    let id = reports.file_stem().unwrap().to_str().unwrap().strip_prefix("opencode-").unwrap();
    let sent: Value = serde_json::from_str(&fs::read_to_string(reports).unwrap()).unwrap();
    assert_eq!(sent.as_array().map(Vec::len), Some(1), "an answered one is not reported again");
    // Into a pipe opencode writes no more than the pipe takes at once.
    let file = stage.place.folder.path().join("exported.json");
    let mut export = stage.program(&["export", id]);
    assert!(export.stdout(fs::File::create(&file).unwrap()).status().unwrap().success());
    let exported: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let message = |message: &Value| {
        let info = message["info"].as_object().unwrap().iter();
        let fields = ["id", "role", "summary", "time", "error", "finish", "parentID", "agent", "tokens"];
        let info = info.filter(|(name, _)| fields.contains(&name.as_str()));
        let info: Value = info.map(|(name, value)| (name.clone(), value.clone())).collect();
        let parts = message["parts"].as_array().unwrap().iter();
        let parts = parts.map(|part| json!({"type": part["type"], "text": part["text"]}));
        json!({"info": info, "parts": parts.collect::<Vec<_>>()})
    };
    let messages: Vec<Value> = exported["messages"].as_array().unwrap().iter().map(message).collect();
    let recorded = json!({"exported": {"info": {"id": id}, "messages": messages}, "sent": sent});
    stage.record("opencode_session.json", &serde_json::to_string_pretty(&recorded).unwrap());
}

// S1-17
#[test]
fn a_context_that_is_not_given_is_not_delivered() {
    let Some(stage) = stage() else { return };
    stage.write(".config/throughline/config.toml", "[watch]\nrestore = \"resume\"\n");
    let terminal = terminal(&stage, &[], &[]);
    ask(&stage, &terminal, "Count the lines of a.txt.", "There are two.");
    terminal.enter("/compact");
    compacted(&stage, &terminal, 1);
    let status = || run(&mut stage.throughline(&["watch", "--status"]));
    assert_says(&status().done(), &["compactions 1\n  1  no answer yet\n"]);
    ask(&stage, &terminal, "Continue.", "Continuing now.");
    assert!(!stage.last_request().contains(CONTEXT));
    let ran = status();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.out, &["compactions 1\n  1  context not delivered\n"]);
}

// S1-12
#[test]
fn a_session_whose_agent_was_killed_is_resumed_with_its_context() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[], &[]);
    break_off(&stage, &terminal);
    let agents = children(terminal.pid());
    agents.iter().for_each(|agent| kill(*agent));
    assert_eq!(terminal.ended(), 137, "the exit code is that of the agent");
    assert_eq!(stage.files("tmp", "js"), Vec::<PathBuf>::new(), "the plugin is removed");
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
    stage.server.push(call("toolu_1", "wc -l a.txt"));
    stage.server.push(Answer::text("Never seen.").wait_head(LONG));
    terminal.enter("Count the lines of a.txt.");
    stage.wait("no second request", || stage.requests().len() == 2);
}

/// Resumes the only session, which was killed in its first turn.
#[track_caller]
fn resumed(stage: &Stage) {
    stage.server.push(Answer::text("Continuing now."));
    headless(stage, &[], &["--continue", "Continue."]);
    assert_says(
        &stage.last_request(),
        &[CONTEXT, "Current task: Count the lines of a.txt.\n", "wc -l a.txt"],
    );
}

#[test]
fn a_large_result_leaves_the_window_and_is_read_back_and_edits_still_work() {
    let Some(stage) = stage() else { return };
    let file = stage.work().join("numbers.txt");
    let numbers: String = (1..=1_200).map(|number| format!("number {number}\n")).collect();
    fs::write(&file, &numbers).unwrap();
    stage.server.push(call("toolu_1", "grep -n number numbers.txt"));
    stage.server.push(Answer::call("toolu_2", "read", json!({"filePath": file})));
    let edit = json!({"filePath": file, "oldString": "number 700\n", "newString": "seven hundred\n"});
    stage.server.push(Answer::call("toolu_3", "edit", edit));
    stage.server.push(Answer::call("toolu_4", "large_numbers", json!({})));
    stage.server.push(Answer::text("Edited."));
    headless(&stage, &["--offload"], &["Edit it."]);
    assert!(fs::read_to_string(&file).unwrap().contains("\nseven hundred\n"));
    let all = stage.requests();
    let references: Vec<&str> =
        all[4].split("ref_id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(references.len(), 2, "{references:?}");
    assert!(!all[1].contains("700:number 700\n"), "it was replaced");
    assert!(all[2].contains("number 1100\n"), "a read stays whole");
    for (id, reference, wanted) in
        [("toolu_5", references[0], "\n700:number 700\n"), ("toolu_6", references[1], "\nline 700\n")]
    {
        let input = json!({"ref_id": reference, "offset": 6_000, "limit": 16_384});
        stage.server.push(Answer::call(id, "throughline_read_result", input));
        stage.server.push(Answer::text("Read back."));
        headless(&stage, &["--offload"], &["--continue", "Read it back."]);
        let last = stage.last_request();
        assert_says(&last[last.rfind(id).unwrap()..], &[wanted]);
    }
    assert_says(&stage.status(), &["Results offloaded: 2; ", "; not taken by the agent: 0\n"]);
}

// S1-03 S1-04
#[test]
fn each_compaction_of_a_session_is_seen_once_and_nothing_else_is_taken_for_one() {
    let Some(stage) = stage_with(Habits { unscripted: slowly, ..HABITS }) else { return };
    let terminal = terminal(&stage, &["--pty"], &[]);
    let does = Round {
        call: &|round| call(&format!("toolu_{round}"), "wc -l a.txt"),
        ask: &|text| terminal.enter(text),
        compact: &|round| {
            terminal.enter("/compact");
            compacted(&stage, &terminal, round);
        },
    };
    record_rounds(&stage, &terminal, "opencode_screens.txt", &does);
    assert_eq!(stage.seen().len(), ROUNDS, "{:?}", stage.seen());
}
