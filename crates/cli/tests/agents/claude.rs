//! Claude Code.

use std::fs;

use serde_json::{Value, json};
use throughline_conversation::Usage;
use throughline_testserver::Answer;

use crate::bodies::{CONTEXT, text_of};
use crate::installed::CLAUDE;
use crate::ran::{assert_says, run};
use crate::screens::{ROUNDS, Round, record_rounds};
use crate::stage::{Habits, LONG, SLOW, Stage, children, is_running, kill};
use crate::tmux::Tmux;

/// The program asks only once for a key whose end it knows.
const KEY: &str = "sk-ant-test-1234567890abcdefghij";

/// What every start needs.
const MODEL: [&str; 2] = ["--model", "claude-sonnet-4-5"];

/// Tools that run without a question.
const TOOLS: [&str; 2] = ["--allowedTools", "Bash,Read,Edit,mcp__throughline"];

/// What the model writes as a summary.
const SUMMARY: &str = "<summary>They count lines.</summary>";

/// More than the agent takes before it compacts.
const FULL: Usage = Usage { input: 120_000, cache_read: 0, cache_write: 0, output: 10, searches: 0 };

/// Titles and summaries are asked for without the tools, or in these words.
fn unscripted(body: &Value) -> Option<Answer> {
    let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let summary = body["messages"]
        .as_array()
        .and_then(|all| all.last())
        .is_some_and(|last| text_of(last).contains("Your task is to create a detailed summary"));
    (!has_tools || summary).then(|| Answer::text(SUMMARY))
}

pub(crate) const HABITS: Habits = Habits {
    installed: CLAUDE,
    unscripted,
    messages: "messages",
    transcripts: ".claude/projects",
    compacted: "\"compact_boundary\"",
};

/// The same; summaries take a while.
fn slowly(body: &Value) -> Option<Answer> {
    unscripted(body).map(|answer| answer.wait_head(SLOW))
}

/// Without the module: Claude Code compacts by itself.
fn stage() -> Option<Stage> {
    let stage = stage_with(HABITS)?;
    stage.write(".config/throughline/config.toml", "[watch]\ncompactor = false\n");
    Some(stage)
}

pub(crate) fn stage_with(habits: Habits) -> Option<Stage> {
    let mut stage = Stage::new(habits)?;
    let url = stage.server.url();
    for (name, value) in [
        ("ANTHROPIC_BASE_URL", url.as_str()),
        ("ANTHROPIC_API_KEY", KEY),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
    ] {
        stage.set(name, value);
    }
    let work = stage.work().display().to_string();
    let config = json!({
        "hasCompletedOnboarding": true,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [&KEY[KEY.len() - 20..]], "rejected": []},
        "projects": {work: {"hasTrustDialogAccepted": true}}
    });
    stage.write(".claude.json", &config.to_string());
    Some(stage)
}

pub(crate) fn terminal(stage: &Stage, options: &[&str], args: &[&str]) -> Tmux {
    let terminal = stage.terminal(options, &[&MODEL[..], &TOOLS, args].concat());
    terminal.shows("? for shortcuts");
    terminal
}

/// Runs the agent without a terminal.
#[track_caller]
pub(crate) fn headless(stage: &Stage, options: &[&str], args: &[&str]) -> Value {
    // Options that take several values would take a prompt behind them.
    let all = [&["-p"], args, &["--output-format", "json"], &MODEL, &TOOLS].concat();
    run(&mut stage.watched(options, &all)).json()
}

/// Answers a task of three tools.
pub(crate) fn do_a_task(stage: &Stage) {
    let file = stage.work().join("a.txt");
    let edit = json!({"file_path": file, "old_string": "beta", "new_string": "gamma"});
    for (id, tool, input) in [
        ("toolu_1", "Bash", json!({"command": "wc -l a.txt", "description": "Counts"})),
        ("toolu_2", "Read", json!({"file_path": file})),
        ("toolu_3", "Edit", edit),
    ] {
        stage.server.push(Answer::call(id, tool, input));
    }
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
    assert_eq!(fs::read_to_string(stage.work().join("a.txt")).unwrap(), "alpha\ngamma\n");
    terminal.enter("/compact keep the names");
    stage.compacted(1);
    stage.server.push(Answer::text("Continuing now."));
    terminal.enter("Continue.");
    terminal.shows("Continuing now.");
    let requests = stage.requests();
    assert!(requests[..4].iter().all(|text| !text.contains(CONTEXT)), "{requests:?}");
    let last = &requests[4];
    let asked = "word for word:\nCount the lines of a.txt.\n";
    assert_says(last, &["They count lines.", CONTEXT, asked, "/a.txt"]);
    assert_eq!(last.matches(CONTEXT).count(), 1, "{last}");
    assert!(!last.contains("toolu_1"), "it was compacted: {last}");
    let status = stage.status();
    assert_says(&status, &["compactions 1\n  1  context delivered\n"]);
}

// S1-03 S1-04
#[test]
fn a_compaction_is_seen_on_the_screen() {
    let Some(stage) = stage_with(Habits { unscripted: slowly, ..HABITS }) else { return };
    stage.write(".config/throughline/config.toml", "[watch]\ncompactor = false\n");
    let terminal = terminal(&stage, &["--pty"], &[]);
    do_a_task(&stage);
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    stage.record("claude_task.txt", &terminal.idle());
    terminal.enter("/compact");
    stage.record("claude_compacting.txt", &terminal.shows("Compacting conversation"));
    stage.compacted(1);
    stage.record("claude_compacted.txt", &terminal.idle());
    assert_eq!(stage.seen(), ["compacting conversation"]);
}

// S1-02 S1-12
#[test]
fn a_compaction_by_threshold_brings_the_context_back_between_turns_and_within_one() {
    let Some(mut stage) = stage() else { return };
    stage.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
    let terminal = terminal(&stage, &[], &[]);
    do_a_task(&stage);
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    terminal.idle();
    stage.server.push(Answer::text("Counted again.").usage(FULL));
    terminal.enter("Count again.");
    terminal.shows("Counted again.");
    terminal.idle();
    stage.server.push(Answer::text("Counted."));
    terminal.enter("Count a third time.");
    terminal.shows("Counted.");
    stage.compacted(1);
    terminal.idle();
    stage.server.push(Answer::call("toolu_4", "Bash", json!({"command": "wc -l a.txt"})).usage(FULL));
    stage.server.push(Answer::text("Counted by wc."));
    terminal.enter("Count by wc.");
    terminal.shows("Counted by wc.");
    stage.compacted(2);
    let requests = stage.requests();
    assert_eq!(requests.len(), 8);
    for (request, asked) in [(&requests[5], "Count again."), (&requests[7], "Count by wc.")] {
        assert_says(request, &[CONTEXT, "word for word:\n", asked]);
    }
    let status = stage.status();
    assert_says(&status, &["compactions 2\n  1  context delivered\n  2  context delivered\n"]);
    stage.record("claude_compactions.jsonl", &recording(&stage));
}

/// The lines of the transcript that tell of compactions, without what does not.
fn recording(stage: &Stage) -> String {
    let of = |line: &Value, names: &[&str]| -> Value {
        names.iter().filter_map(|name| Some(((*name).to_owned(), line.get(*name)?.clone()))).collect()
    };
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let mut kept = of(&line, &["type", "subtype", "isCompactSummary", "isSidechain"]);
        let is_context = line["attachment"]["type"] == "hook_additional_context";
        if is_context {
            kept["attachment"] = of(&line["attachment"], &["type", "content", "hookEvent"]);
        } else if line["type"] == "assistant" || line["isCompactSummary"] == true {
            kept["message"] = of(&line["message"], &["role", "content"]);
        } else if line["subtype"] != "compact_boundary" {
            return None;
        }
        Some(format!("{kept}\n"))
    };
    stage.transcripts().lines().filter_map(line).collect()
}

// S1-12
#[test]
fn after_twenty_compactions_in_a_row_the_first_steps_are_one_search_away() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[], &[]);
    do_a_task(&stage);
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    for number in 1..=20 {
        terminal.enter("/compact");
        stage.compacted(number);
        stage.server.push(Answer::text(&format!("Step {number} is done.")));
        terminal.enter(&format!("Do step {number}."));
        terminal.shows(&format!("Step {number} is done."));
        let last = stage.last_request();
        let before = if number == 1 {
            "Count the lines of a.txt.".to_owned()
        } else {
            format!("Do step {}.", number - 1)
        };
        assert_says(&last, &[CONTEXT, &format!("word for word:\n{before}\n"), "a.txt"]);
        let context = &last[last.find(CONTEXT).unwrap()..];
        let context = &context[..context.find("</system-reminder>").unwrap()];
        assert!(context.len() <= 4_096, "{} bytes", context.len());
    }
    let status = stage.status();
    assert_says(&status, &["compactions 20\n", " 20  context delivered\n"]);
    assert!(!status.contains("not delivered"), "{status}");
    // What the model had seen before the first of them.
    stage.server.push(Answer::call("toolu_9", "mcp__throughline__search_history", json!({"query": "gamma"})));
    stage.server.push(Answer::text("Found it."));
    terminal.enter("Which word is new?");
    terminal.shows("Found it.");
    let found = stage.last_request();
    assert_says(&found[found.rfind("toolu_9").unwrap()..], &["gamma", "a.txt"]);
}

// S1-12
#[test]
fn a_session_whose_agent_was_killed_is_resumed_with_its_context() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[], &[]);
    stage.server.push(Answer::call("toolu_1", "Bash", json!({"command": "wc -l a.txt"})));
    stage.server.push(Answer::text("Never seen.").wait_head(LONG));
    terminal.enter("Count the lines of a.txt.");
    stage.wait("no second request", || stage.requests().len() == 2);
    stage.wait("no result in the transcript", || stage.transcripts().contains("\"tool_result\""));
    kill(terminal.pid());
    terminal.ended();
    resumed(&stage);
}

// S1-12
#[test]
fn a_session_whose_watch_was_killed_is_resumed_with_its_context() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &["--pty"], &[]);
    stage.server.push(Answer::call("toolu_1", "Bash", json!({"command": "wc -l a.txt"})));
    stage.server.push(Answer::text("Never seen.").wait_head(LONG));
    terminal.enter("Count the lines of a.txt.");
    stage.wait("no second request", || stage.requests().len() == 2);
    let watch = terminal.pid();
    let agents = children(watch);
    assert_eq!(agents.len(), 1);
    kill(watch);
    terminal.ended();
    stage.wait("the agent stays", || agents.iter().all(|agent| !is_running(*agent)));
    resumed(&stage);
}

/// Resumes the only session, which was killed in its first turn.
#[track_caller]
fn resumed(stage: &Stage) {
    stage.server.push(Answer::text("Continuing now."));
    let answer = headless(stage, &[], &["--resume", &stage.session(), "Continue."]);
    assert_eq!(answer["result"], "Continuing now.");
    let last = stage.last_request();
    assert_says(&last, &[CONTEXT, "word for word:\nCount the lines of a.txt.\n", "wc -l a.txt"]);
}

#[test]
fn a_large_result_leaves_the_window_and_is_read_back_and_edits_still_work() {
    let Some(stage) = stage() else { return };
    let file = stage.work().join("numbers.txt");
    let numbers: String = (1..=1_200).map(|number| format!("number {number}\n")).collect();
    fs::write(&file, &numbers).unwrap();
    stage.server.push(Answer::call("toolu_1", "Bash", json!({"command": "grep -n number numbers.txt"})));
    stage.server.push(Answer::call("toolu_2", "Read", json!({"file_path": file, "limit": 1200})));
    let edit = json!({"file_path": file, "old_string": "number 700\n", "new_string": "seven hundred\n"});
    stage.server.push(Answer::call("toolu_3", "Edit", edit));
    stage.server.push(Answer::text("Edited."));
    headless(&stage, &["--offload"], &["Edit it."]);
    assert!(fs::read_to_string(&file).unwrap().contains("\nseven hundred\n"));
    let all = stage.requests();
    let reference = all[1].split_once("ref_id=\"").unwrap().1.split('"').next().unwrap().to_owned();
    assert!(!all[1].contains("700:number 700\n"), "it was replaced");
    assert!(all[2].contains("number 1100\n"), "a read stays whole");
    stage.server.push(Answer::call(
        "toolu_4",
        "mcp__throughline__read_result",
        json!({"ref_id": reference, "offset": 9000, "limit": 16384}),
    ));
    let edit =
        json!({"file_path": file, "old_string": "number 701\n", "new_string": "seven hundred and one\n"});
    stage.server.push(Answer::call("toolu_5", "Edit", edit));
    stage.server.push(Answer::text("Read back."));
    headless(&stage, &["--offload"], &["--resume", &stage.session(), "Read it back."]);
    assert!(stage.requests().last().unwrap().contains("700:number 700\n"));
    assert!(fs::read_to_string(&file).unwrap().contains("\nseven hundred and one\n"));
    let status = stage.status();
    assert_says(&status, &["Results offloaded: 1; ", "; not taken by the agent: 0\n"]);
}

#[test]
fn after_a_compaction_the_agent_reads_files_again_and_the_receipt_says_so() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &["--offload"], &[]);
    stage.server.push(Answer::call("toolu_1", "Bash", json!({"command": "seq 1 4000"})));
    stage.server.push(Answer::call("toolu_2", "Read", json!({"file_path": stage.work().join("a.txt")})));
    stage.server.push(Answer::text("There are two."));
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    terminal.enter("/compact");
    stage.compacted(1);
    stage.server.push(Answer::text("Continuing now."));
    terminal.enter("Continue.");
    terminal.shows("Continuing now.");
    let last = stage.last_request();
    assert_says(&last, &[CONTEXT, "Called the Read tool", "alpha"]);
    assert!(!last.contains("\n3000\n"), "no result of a command comes back");
    let parts =
        ["Results offloaded: 1; ", "files that claude has read again from disk after a compaction: 1; "];
    assert_says(&stage.status(), &parts);
}

// S1-03 S1-04
#[test]
fn each_compaction_of_a_session_is_seen_once_and_nothing_else_is_taken_for_one() {
    let Some(stage) = stage_with(Habits { unscripted: slowly, ..HABITS }) else { return };
    stage.write(".config/throughline/config.toml", "[watch]\ncompactor = false\n");
    let terminal = terminal(&stage, &["--pty"], &[]);
    let does = Round {
        call: &|round| Answer::call(&format!("toolu_{round}"), "Bash", json!({"command": "wc -l a.txt"})),
        ask: &|text| terminal.enter(text),
        compact: &|round| {
            terminal.enter("/compact");
            stage.compacted(round);
        },
    };
    record_rounds(&stage, &terminal, "claude_screens.txt", &does);
    assert_eq!(stage.seen().len(), ROUNDS, "{:?}", stage.seen());
}

#[test]
fn a_session_of_throughline_is_continued_by_the_agent() {
    let Some(stage) = stage() else { return };
    stage.server.push(Answer::call("toolu_1", "shell", json!({"command": "wc -l a.txt"})));
    stage.server.push(Answer::text("There are two lines."));
    let ask = ["-o", "json", "Count the lines of a.txt."];
    let ran = run(&mut stage.place.asks(&stage.server, ("anthropic", MODEL[1]), &ask)).json();
    let session = ran["session"].as_str().unwrap();
    let file = stage.place.folder.path().join("lines.jsonl");
    let exported = run(&mut stage.place.bare(&["export", session, "--claude", "-o", file.to_str().unwrap()]));
    let place =
        exported.err.split("put the file at ~/").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    let id = place.rsplit('/').next().and_then(|name| name.strip_suffix(".jsonl")).unwrap();
    stage.write(place, &fs::read_to_string(&file).unwrap());

    stage.server.push(Answer::text("Still two."));
    let all = [&["-p", "--resume", id, "Once more.", "--output-format", "json"][..], &MODEL, &TOOLS].concat();
    let answer = run(&mut stage.program(&all)).json();
    assert_eq!((answer["result"].as_str(), answer["session_id"].as_str()), (Some("Still two."), Some(id)));
    let last = stage.last_request();
    assert_says(&last, &["Count the lines of a.txt.", "wc -l a.txt", "There are two lines.", "Once more."]);
}
