//! Gemini CLI. `watch` gives it no hooks and reads no transcript of it: its screen is watched, and its tools are those that the
//! user has added to its settings.

use serde_json::{Value, json};
use throughline_testserver::Answer;

use crate::installed::GEMINI;
use crate::ran::{assert_says, run};
use crate::stage::{Habits, LONG, Stage, children, is_running, kill};
use crate::tmux::Tmux;

/// What every start needs: a model, a folder that it trusts, and tools that run without a question.
const START: [&str; 5] = ["--skip-trust", "-m", "gemini-2.5-pro", "--approval-mode", "yolo"];

const HABITS: Habits = Habits {
    installed: GEMINI,
    unscripted,
    messages: "contents",
    transcripts: ".gemini/tmp",
    compacted: "\"They count lines.",
};

/// Summaries are asked for without tools.
fn unscripted(body: &Value) -> Option<Answer> {
    let has_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    (!has_tools).then(|| Answer::text("They count lines."))
}

fn stage() -> Option<Stage> {
    let mut stage = Stage::new(HABITS)?;
    stage.set("GEMINI_API_KEY", "x");
    let url = stage.server.url();
    stage.set("GOOGLE_GEMINI_BASE_URL", &url);
    let ours = json!({"command": env!("CARGO_BIN_EXE_throughline"), "args": ["mcp"]});
    let settings = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": false},
        "privacy": {"usageStatisticsEnabled": false},
        "mcpServers": {"throughline": ours}
    });
    stage.write(".gemini/settings.json", &settings.to_string());
    Some(stage)
}

fn terminal(stage: &Stage, args: &[&str]) -> Tmux {
    let terminal = stage.terminal(&[], &[&START, args].concat());
    terminal.shows("Type your message");
    terminal.idle();
    terminal
}

fn call(id: &str, command: &str) -> Answer {
    Answer::call(id, "run_shell_command", json!({"command": command}))
}

/// Types a command of the agent: the first Enter takes the one that it offers.
fn command(terminal: &Tmux, name: &str) {
    terminal.enter(name);
    let screen = terminal.idle();
    if screen.contains(&format!("* {name}")) {
        terminal.key("Enter");
    }
}

// S1-02 S1-04
#[test]
fn a_task_runs_under_watch_and_a_compression_is_seen_on_the_screen() {
    let Some(stage) = stage() else { return };
    let terminal = terminal(&stage, &[]);
    stage.server.push(call("1", "wc -l a.txt"));
    stage.server.push(Answer::text("There are two."));
    terminal.enter("Count the lines of a.txt.");
    terminal.shows("There are two.");
    terminal.idle();
    command(&terminal, "/compress");
    terminal.shows("Chat history compressed from");
    terminal.idle();
    stage.server.push(Answer::text("Continuing now."));
    terminal.enter("Continue.");
    terminal.shows("Continuing now.");
    let requests = stage.requests();
    assert_eq!(requests.len(), 3);
    assert_says(&requests[1], &["2 a.txt"]);
    assert_says(&requests[2], &["They count lines.", "Continue."]);
    assert!(!requests[2].contains("2 a.txt"), "it was compressed");
    command(&terminal, "/quit");
    assert_eq!(terminal.ended(), 0);
    let events = run(&mut stage.throughline(&["watch", "--events"])).done();
    assert_eq!(events.matches("compressing chat history").count(), 1, "{events}");
}

#[test]
fn the_tools_of_our_server_work_across_a_compression() {
    let Some(stage) = stage() else { return };
    let headless = |args: &[&str]| {
        let ran = run(&mut stage.watched(&[], &[&START, args].concat()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    let memo = json!({"content": "The parser expects a comma.", "tags": ["parser"]});
    stage.server.push(Answer::call("1", "mcp_throughline_save_memo", memo));
    stage.server.push(Answer::text("Noted."));
    headless(&["-p", "Note it."]);
    // Without a terminal the model is asked once more.
    stage.server.push(Answer::text("Compressed."));
    headless(&["-r", "latest", "-p", "/compress"]);
    stage.server.push(Answer::call("2", "mcp_throughline_retrieve_memos", json!({"query": "comma"})));
    stage.server.push(Answer::text("It expects a comma."));
    headless(&["-r", "latest", "-p", "What does the parser expect?"]);
    let last = stage.last_request();
    let answer = last.rfind("retrieve_memos").unwrap();
    assert_says(&last[answer..], &["The parser expects a comma."]);
}

#[test]
fn a_session_is_resumed_after_the_agent_or_watch_was_killed() {
    for kills_watch in [false, true] {
        let Some(stage) = stage() else { return };
        let terminal = terminal(&stage, &[]);
        stage.server.push(call("1", "wc -l a.txt"));
        stage.server.push(Answer::text("Never seen.").wait_head(LONG));
        terminal.enter("Count the lines of a.txt.");
        stage.wait("no second request", || stage.requests().len() == 2);
        stage.wait("no result in the transcript", || stage.transcripts().contains("2 a.txt"));
        let watch = terminal.pid();
        let agents = children(watch);
        assert_eq!(agents.len(), 1);
        kill(if kills_watch { watch } else { agents[0] });
        assert_eq!(terminal.ended(), 137);
        stage.wait("the agent stays", || !is_running(agents[0]));
        stage.server.push(Answer::text("Continuing now."));
        let args = [&START[..], &["-r", "latest", "-p", "Continue."]].concat();
        let ran = run(&mut stage.watched(&[], &args));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_says(&ran.out, &["Continuing now."]);
        assert_says(&stage.last_request(), &["Count the lines of a.txt.", "2 a.txt", "Continue."]);
    }
}
